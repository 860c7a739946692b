package view

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"image"
	_ "image/gif" // for image.DecodeConfig
	_ "image/jpeg"
	_ "image/png"
	"strconv"

	"sessiontree/internal/session"
	"sessiontree/internal/session/rowtext"
	"sessiontree/web/components"
)

// safeImageTypes are the image types that browsers render without running scripts.
var safeImageTypes = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true, "image/webp": true}

// IsSafeImage reports whether an image of a MIME type may be served.
func IsSafeImage(mime string) bool { return safeImageTypes[mime] }

// FindImage returns the n-th image of a body, counted from 0.
func FindImage(b session.Body, n int) (session.Block, bool) {
	for _, blk := range b.Blocks {
		if blk.Kind != session.BlockImage {
			continue
		}
		if n == 0 {
			return blk, true
		}
		n--
	}
	return session.Block{}, false
}

// imageCounter holds the number of images before a block of a body.
type imageCounter struct {
	body  *session.Body
	at, n int
}

// imagesBefore returns the number of images before the k-th block. It continues from the
// last call, since blocks are processed in order.
func (ib *itemBuilder) imagesBefore(body *session.Body, k int) int {
	c := &ib.images
	if c.body != body || k < c.at {
		*c = imageCounter{body: body}
	}
	for ; c.at < k; c.at++ {
		if body.Blocks[c.at].Kind == session.BlockImage {
			c.n++
		}
	}
	return c.n
}

// imageBlock returns the n-th image of an entry.
func (ib *itemBuilder) imageBlock(e *pathEntry, blk *session.Block, n int) components.BlockModel {
	m := components.BlockModel{Kind: "image", Name: escapeInvisible(blk.Name), Alt: "Image " + strconv.Itoa(n+1)}
	switch {
	case len(blk.Data) == 0 && blk.Blob == "" && blk.Text != "":
		m.Text = oneLine(rowtext.Cut(blk.Text, maxRowRunes))
		return m
	case !safeImageTypes[blk.Name]:
		m.Text = "of type " + cmp.Or(oneLine(rowtext.Cut(blk.Name, 40)), "unknown") + " is not shown"
		return m
	case len(blk.Data) == 0 && blk.Blob == "":
		m.Text = "is not in the file"
		return m
	case ib.page.MissingBlobs[blk.Blob]:
		m.Text = "is missing: the file that held it is gone"
		return m
	}
	m.Src = ib.page.entryURL(e.ID) + "/image/" + strconv.Itoa(n)
	if ib.page.audience.Standalone {
		m.Src = "data:" + blk.Name + ";base64," + base64.StdEncoding.EncodeToString(blk.Data)
	}
	if c, _, err := image.DecodeConfig(bytes.NewReader(blk.Data)); err == nil && c.Width < 1<<15 && c.Height < 1<<15 {
		m.W, m.H = c.Width, c.Height
	}
	return m
}
