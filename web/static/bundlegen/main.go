// Command bundlegen bundles the scripts and stylesheets of pages, so that a page loads one of
// each. It writes them below bundle, with the names of their sources.
package main

import (
	"log"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

const outDir = "bundle"

func main() {
	log.SetFlags(0)
	if err := os.RemoveAll(outDir); err != nil {
		log.Fatal(err)
	}
	pages, err := filepath.Glob("js/pages/*.js")
	if err != nil {
		log.Fatal(err)
	}
	for _, page := range pages {
		writeFiles(nameChunks(page, bundle(pageOptions(page))))
	}
	styles, err := filepath.Glob("css/pages/*.css")
	if err != nil {
		log.Fatal(err)
	}
	alone := api.BuildOptions{EntryPoints: append(styles, "js/boot.js", "js/offline.js", "js/worker.js")}
	writeFiles(contents(bundle(alone)))
}

// bundle builds in memory.
func bundle(o api.BuildOptions) []api.OutputFile {
	o.Bundle, o.Outdir, o.Outbase = true, outDir, "."
	o.MinifyWhitespace, o.MinifyIdentifiers, o.MinifySyntax = true, true, true
	o.Target, o.LegalComments, o.LogLevel = api.ES2022, api.LegalCommentsNone, api.LogLevelWarning
	result := api.Build(o)
	if len(result.Errors)+len(result.Warnings) > 0 {
		log.Fatalf("%d errors, %d warnings", len(result.Errors), len(result.Warnings))
	}
	return result.OutputFiles
}

// pageOptions returns the options for the script of a page. A module that is imported when it is
// needed becomes a chunk. Such a chunk is only loaded by a page, so it imports the script of the
// page: esbuild then puts all that a page needs at first into one file.
func pageOptions(page string) api.BuildOptions {
	const lazy = "lazy"
	plugin := api.Plugin{Name: lazy, Setup: func(b api.PluginBuild) {
		b.OnResolve(api.OnResolveOptions{Filter: `^\.`}, func(a api.OnResolveArgs) (api.OnResolveResult, error) {
			if a.Kind != api.ResolveJSDynamicImport {
				return api.OnResolveResult{}, nil
			}
			return api.OnResolveResult{Path: path.Base(a.Path), Namespace: lazy, PluginData: filepath.Join(a.ResolveDir, a.Path)}, nil
		})
		b.OnLoad(api.OnLoadOptions{Filter: ".", Namespace: lazy}, func(a api.OnLoadArgs) (api.OnLoadResult, error) {
			dir, err := os.Getwd()
			text := "import './" + page + "'; export * from '" + filepath.ToSlash(a.PluginData.(string)) + "';"
			return api.OnLoadResult{Contents: &text, ResolveDir: dir}, err
		})
	}}
	return api.BuildOptions{
		EntryPoints: []string{page}, Format: api.FormatESModule, Splitting: true, ChunkNames: path.Dir(page) + "/[name]-[hash]",
		Plugins: []api.Plugin{plugin},
	}
}

// chunkName matches the name of a chunk.
var chunkName = regexp.MustCompile(`^([a-z]+)-[0-9A-Z]{8}\.js$`)

// mainChunk matches the import of the chunk with the code of a page.
var mainChunk = regexp.MustCompile(`^import"\./([^"]+)"`)

// nameChunks returns the contents of files by name. If chunks import the script of a page, it is a
// chunk itself and the page only imports it: it gets the name of the page. Other chunks are named by
// page and module, because the address has a hash of all files already.
func nameChunks(page string, files []api.OutputFile) map[string]string {
	stem, names := strings.TrimSuffix(path.Base(page), ".js"), map[string]string{}
	var renamed []string
	for _, f := range files {
		name := filepath.Base(f.Path)
		names[name] = name
		if m := chunkName.FindStringSubmatch(name); m != nil {
			names[name] = stem + "-" + m[1] + ".js"
			if m[1] == "chunk" { // shared by others
				names[name] = stem + "-" + name
			}
		}
	}
	for _, f := range files {
		if m := mainChunk.FindSubmatch(f.Contents); m != nil && filepath.Base(f.Path) == path.Base(page) {
			delete(names, path.Base(page))
			names[string(m[1])] = path.Base(page)
		}
	}
	for from, to := range names {
		renamed = append(renamed, from, to)
	}
	texts, replacer := map[string]string{}, strings.NewReplacer(renamed...)
	for _, f := range files {
		if to, ok := names[filepath.Base(f.Path)]; ok {
			texts[path.Join(outDir, path.Dir(page), to)] = replacer.Replace(string(f.Contents))
		}
	}
	return texts
}

// contents returns the contents of files by name.
func contents(files []api.OutputFile) map[string]string {
	texts := map[string]string{}
	dir, err := os.Getwd()
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range files {
		name, err := filepath.Rel(dir, f.Path)
		if err != nil {
			log.Fatal(err)
		}
		texts[filepath.ToSlash(name)] = string(f.Contents)
	}
	return texts
}

func writeFiles(texts map[string]string) {
	for name, text := range texts {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			log.Fatal(err)
		}
	}
}
