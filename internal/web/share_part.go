package web

import (
	"errors"
	"fmt"

	"sessiontree/internal/session"
	"sessiontree/internal/session/export"
	"sessiontree/internal/session/store"
	"sessiontree/internal/web/view"
)

// choose is sharing that says why the part cannot be shared. When nobody has chosen
// one, it is the first that can.
func (c *changing) choose(a *view.ShareAsk) (part export.Part, sh view.Sharing, err error) {
	chosen := a.Scope != ""
	if part, sh, err = c.sharing(a); err == nil {
		sh.Refused, err = c.unshared(*a, part, sh)
	}
	if err != nil || sh.Refused == "" || chosen {
		return part, sh, err
	}
	for _, p := range sh.Parts {
		other := *a
		other.Scope = p.Scope
		part, sh, err := c.sharing(&other)
		if err == nil {
			sh.Refused, err = c.unshared(other, part, sh)
		}
		if err != nil || sh.Refused == "" {
			*a = other
			return part, sh, err
		}
	}
	return part, sh, nil
}

// sharing finds out what can be shared, and of that what is asked for.
func (c *changing) sharing(a *view.ShareAsk) (part export.Part, sh view.Sharing, err error) {
	sh.Now = c.s.now()
	if _, local := c.s.linkBase(c.r); local {
		sh.Where = "The link opens on this computer only."
	}
	c.sess.Read(func(t *session.Tree, _ store.Rev) {
		if a.Entry != "" && t.Find(a.Entry) == session.NoPos {
			err = fmt.Errorf("%w: %q", view.ErrNoEntry, a.Entry)
			return
		}
		if t.Leaf() == session.NoPos {
			return
		}
		if sh.Parts, err = shareParts(t, *a); err != nil {
			return
		}
		if a.Scope == "" {
			a.Scope = usualScope(sh.Parts)
		}
		if c.form.Get("of") != a.Scope { // of the form that was sent, "" the first time
			a.Names = a.Scope == view.ShareAll
		}
		if part, err = sharePart(t, *a); err != nil {
			return
		}
		if sh.Kept, err = part.Positions(t); err == nil {
			sh.Whole, err = withBranches(t, *a)
		}
	})
	return part, sh, err
}

// unshared is why nothing can be shared, "" when it can.
func (c *changing) unshared(a view.ShareAsk, part export.Part, sh view.Sharing) (string, error) {
	switch {
	case c.s.readOnly:
		return "The explorer was started with --read-only.", nil
	case len(sh.Parts) == 0:
		return sentence(errNothing), nil
	}
	_, err := export.Prepare(c.ctx, c.sess, c.shareOptions(a, part))
	if errors.Is(err, session.ErrInvalid) {
		return sentence(err), nil
	}
	return "", err
}

// errNothing: a session has no entry yet.
var errNothing = fmt.Errorf("%w: there is nothing to share yet", session.ErrInvalid)

// shareOptions say how the snapshot is made.
func (c *changing) shareOptions(a view.ShareAsk, part export.Part) export.Options {
	return export.Options{
		Part: part, As: export.JSONL, Redactor: c.s.redactor, Classes: a.Redact,
		Without: without(included(a.Hold)),
	}
}

// withBranches are the entries of the part with all branches.
func withBranches(t *session.Tree, a view.ShareAsk) ([]session.Pos, error) {
	a.Hold = map[string]bool{view.HoldBranches: true}
	p, err := sharePart(t, a)
	if err != nil {
		return nil, err
	}
	return p.Positions(t)
}

// included lists the kinds that are included.
func included(hold map[string]bool) (all []string) {
	for kind, on := range hold {
		if on {
			all = append(all, kind)
		}
	}
	return all
}
