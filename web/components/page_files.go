package components

// pageScript returns the script of a page, which is given by its class.
func pageScript(page string) string {
	name := "plain"
	switch page {
	case "page-session", "page-branches", "page-snapshot":
		name = "session"
	case "page-index":
		name = "list"
	case "page-search":
		name = "search"
	case "page-compare":
		name = "compare"
	case "page-files", "page-file-history":
		name = "files"
	case "page-now":
		name = "now"
	case "page-map":
		name = "map"
	case "page-team":
		name = "team"
	}
	return "js/pages/" + name + ".js"
}

// pageStylesheet returns the stylesheet of a page.
func pageStylesheet(page string) string {
	name := "all"
	switch page {
	case "page-session", "page-snapshot":
		name = "session"
	case "page-index":
		name = "list"
	}
	return "css/pages/" + name + ".css"
}
