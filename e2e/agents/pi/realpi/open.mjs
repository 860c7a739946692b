// Opens session files with a real pi's own session manager, reports what pi reads from
// each, and then continues it as pi does after a prompt.
//   node - PACKAGE FILE...  < open.mjs
// One JSON line per file. It modifies the files, so pass copies.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const [dir, ...files] = process.argv.slice(2)
const about = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
const main = ['dist/bundle/index.js', 'dist/index.js'].map(path => join(dir, path)).find(existsSync)
const { SessionManager } = await import(pathToFileURL(main).href)

const blocks = content => (typeof content === 'string' ? content : (content ?? []).map(block => (block.type === 'text' ? block.text : '')).join(''))

const text = message => {
  if (message.role === 'bashExecution') return message.command
  return message.role.endsWith('Summary') ? message.summary : blocks(message.content)
}

// The tree as the children of each entry; the walk keeps its own stack because
// sessions are deep.
function shape(roots) {
  const children = {}
  for (const stack = [...roots]; stack.length > 0; ) {
    const { entry, children: below } = stack.pop()
    if (below.length > 0) children[entry.id] = below.map(node => node.entry.id)
    stack.push(...below)
  }
  return { roots: roots.map(node => node.entry.id), children }
}

function see(manager) {
  const entries = manager.getEntries()
  const labels = {}
  for (const { id } of entries) {
    const label = manager.getLabel(id)
    if (label) labels[id] = label
  }
  const { messages, model, thinkingLevel } = manager.buildSessionContext()
  return {
    id: manager.getSessionId(), version: manager.getHeader().version, parent: manager.getHeader().parentSession ?? '',
    leaf: manager.getLeafId() ?? '', name: manager.getSessionName() ?? '', entries: entries.map(entry => entry.id),
    labels, tree: shape(manager.getTree()), messages: messages.map(m => ({ role: m.role, text: text(m) })), model, thinkingLevel,
  }
}

function goOn(manager) {
  const timestamp = Date.now()
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }
  const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2, cost }
  manager.appendMessage({ role: 'user', content: [{ type: 'text', text: 'On with it' }], timestamp })
  const answer = { content: [{ type: 'text', text: 'As you say' }], api: 'x', provider: 'p', model: 'm', usage, stopReason: 'stop' }
  manager.appendMessage({ role: 'assistant', ...answer, timestamp })
}

for (const file of files) {
  let seen
  try {
    const before = readFileSync(file)
    const manager = SessionManager.open(file)
    seen = see(manager)
    seen.rewrote = !readFileSync(file).equals(before)
    goOn(manager)
  } catch (error) {
    seen = { refused: String(error?.message ?? error) }
  }
  console.log(JSON.stringify({ ...seen, agent: about.version }))
}
process.exit(0) // whatever pi has started in the background
