package components

import "slices"

// modules lists the modules that main.js imports on every page, directly or not, so that the
// browser fetches them in parallel.
var modules = []string{
	"js/main.js",
	"js/actions.js", "js/dom.js", "js/elapsed.js", "js/keyboard.js", "js/notify.js", "js/registerworker.js", "js/scrollstate.js",
	"js/searchlink.js", "js/server.js", "js/session.js", "js/settings.js", "js/sidepanel.js", "js/text.js",
	"js/theme.js", "js/times.js", "js/view.js",
	"js/branches/branchkeys.js", "js/branches/branchpanel.js", "js/branches/pickedbranches.js",
	"js/compare/comparepage.js", "js/compare/pickedsides.js",
	"js/context/contextlist.js", "js/context/contextpanel.js",
	"js/dialog/bannerrefresh.js", "js/dialog/busyform.js", "js/dialog/changecommands.js",
	"js/dialog/changedialog.js", "js/dialog/changeresult.js", "js/dialog/changetarget.js",
	"js/dialog/imageviewer.js", "js/dialog/linepreview.js", "js/dialog/popover.js",
	"js/dialog/rename.js", "js/dialog/settingsdialog.js", "js/dialog/share.js", "js/dialog/submitform.js",
	"js/find/findbar.js", "js/find/hitelement.js", "js/find/hitgroups.js", "js/find/hitlist.js", "js/find/hitpanel.js",
	"js/find/hitsearch.js", "js/find/hitsection.js", "js/find/marks.js", "js/find/searchfield.js",
	"js/live/follow.js", "js/live/newcount.js", "js/live/socket.js", "js/live/visit.js",
	"js/map/mappanel.js",
	"js/palette/actionsheet.js", "js/palette/choicelist.js", "js/palette/commands.js",
	"js/palette/exportsteps.js", "js/palette/fetchchoices.js", "js/palette/finder.js", "js/palette/palette.js",
	"js/palette/palettelist.js", "js/palette/rank.js", "js/palette/recentplaces.js",
	"js/palette/sources.js", "js/palette/stepsbar.js",
	"js/path/branchswitch.js", "js/path/enhance.js", "js/path/morphitems.js", "js/path/path.js",
	"js/path/pathfilter.js", "js/path/pathscroll.js", "js/path/turnbar.js",
	"js/sessionlist/keepdialog.js", "js/sessionlist/rowstate.js", "js/sessionlist/sessionlist.js", "js/sessionlist/updatelist.js",
	"js/spend/chartkeys.js",
	"js/tree/drawer.js",
	"js/tree/branchpreview.js", "js/tree/rowtooltip.js", "js/tree/sidebarresize.js", "js/tree/stickyrows.js", "js/tree/tree.js",
	"js/virtualrows/cache.js", "js/virtualrows/dom.js", "js/virtualrows/geometry.js",
	"js/virtualrows/virtualrows.js",
	"vendor/idiomorph.esm.js",
}

// searchModules lists the modules that main.js imports on the page that searches all
// sessions.
var searchModules = []string{
	"js/searchall/facets.js", "js/searchall/facetsheet.js", "js/searchall/histogram.js",
	"js/searchall/messages.js", "js/searchall/querychips.js", "js/searchall/queryfield.js",
	"js/searchall/querytext.js", "js/searchall/recent.js", "js/searchall/resultlist.js",
	"js/searchall/resultstream.js", "js/searchall/searchpage.js", "js/searchall/searchrun.js",
	"js/searchall/status.js", "js/searchall/suggestions.js",
}

// mapModules lists the modules that main.js imports on the page with the map of a session.
var mapModules = []string{"js/map/branchkeys.js", "js/map/brush.js", "js/map/download.js", "js/map/mappage.js"}

// filesModules lists the modules that main.js imports on the pages about files.
var filesModules = []string{"js/files/filespage.js"}

// nowModules lists the modules that main.js imports on the page of sessions that run or wait.
var nowModules = []string{"js/now/changes.js", "js/now/notifications.js", "js/now/nowpage.js", "js/now/waitingcount.js"}

// pageModules returns the modules of a page, which is given by its class.
func pageModules(page string) []string {
	switch page {
	case "page-search":
		return slices.Concat(modules, searchModules)
	case "page-files", "page-file-history":
		return slices.Concat(modules, filesModules)
	case "page-now":
		return slices.Concat(modules, nowModules)
	case "page-map":
		return slices.Concat(modules, mapModules)
	}
	return modules
}
