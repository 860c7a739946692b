// Adds the exports that an oh-my-pi expects of its natives and that older natives
// lack. Calling one throws an error with its name.
//   bun natives.mjs CLI INDEX
import { readFileSync, writeFileSync } from 'node:fs'

const [cli, index] = process.argv.slice(2)
const own = readFileSync(index, 'utf8')
const wanted = new Set()
for (const [, names] of readFileSync(cli, 'utf8').matchAll(/import\s*\{([^}]*)\}\s*from\s*"@oh-my-pi\/pi-natives"/g)) {
  for (const name of names.split(',')) wanted.add(name.trim().split(/\s/)[0])
}
const lacking = [...wanted].filter(name => !new RegExp(`\\b(const|class|function) ${name}\\b|[{,]\\s*${name}\\s*[,}]`).test(own))
writeFileSync(index, own + lacking.map(name => `export const ${name} = nativeBindings.${name} ?? missingNativeExport("${name}")\n`).join(''))
