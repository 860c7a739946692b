package teamview

import (
	"strings"
	"time"

	"sessiontree/web/components"
)

// pushingAge is how long ago a device that is pushing has sent its last request.
const pushingAge = 15 * time.Minute

// deviceModels returns the devices of the viewer.
func (b *builder) deviceModels() (devices []components.TeamDevice) {
	for _, d := range b.source.Devices {
		if d.Person != b.source.Viewer.ID {
			continue
		}
		parts := []string{components.Pluralize(len(d.Projects), "project", "projects")}
		if n := b.count(func(it *item) bool { return it.file.Device == d.ID }); n > 0 {
			parts = append(parts, components.Pluralize(n, "session", "sessions"))
		}
		if d.Hidden > 0 {
			parts = append(parts, components.Pluralize(d.Hidden, "secret", "secrets")+" hidden")
		}
		devices = append(devices, components.TeamDevice{
			ID: d.ID, Name: d.Name, Detail: strings.Join(parts, " · "), Seen: b.config.TimeModel(d.Seen),
			Pushing: b.now.Sub(d.Seen) < pushingAge, Revoked: !d.Revoked.IsZero(),
		})
	}
	return devices
}
