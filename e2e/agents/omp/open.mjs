// Opens session files with a real oh-my-pi, reports what it reads from each, and then
// sends a prompt.
//   bun open.mjs CLI WORKDIR [--resume] FILE...
// One oh-my-pi switches from file to file; with --resume each file has its own. One
// JSON line per file. It modifies the files, so pass copies.
import { readFileSync } from 'node:fs'
import { plain } from '../model.mjs'
import { startOmp } from './omp.mjs'

const [cli, work, ...files] = process.argv.slice(2)
const resume = files[0] === '--resume' && files.shift() !== undefined
let requests = []
const start = (...more) => startOmp(cli, work, request => requests.push(request), ...more)

const text = message => {
  if (message.role === 'bashExecution') return message.command
  if (message.role === 'pythonExecution') return message.code
  return message.role.endsWith('Summary') ? message.summary : plain(message.content)
}

// Replacement for an image that cannot be decoded.
const undecodable = /\[image omitted: [^\]]*\]/g

// Added by oh-my-pi when it opens a file in which Python was run.
const added = ({ text }) => text.startsWith('<system-reminder>\nEval runtime state ')

// The tree as the children of each entry; the walk keeps its own stack because
// sessions are deep.
function shape(roots) {
  const children = {}
  const labels = {}
  for (const stack = [...roots]; stack.length > 0; ) {
    const { entry, children: below, label } = stack.pop()
    if (label) labels[entry.id] = label
    if (below.length > 0) children[entry.id] = below.map(node => node.entry.id)
    stack.push(...below)
  }
  return { tree: { roots: roots.map(node => node.entry.id), children }, labels }
}

async function see({ rpc }) {
  const state = await rpc('get_state')
  const { tree, leafId } = await rpc('get_tree')
  const { entries } = await rpc('get_entries')
  const { messages } = await rpc('get_messages')
  return {
    id: state.sessionId, name: state.sessionName ?? '', leaf: leafId ?? '', entries: entries.map(entry => entry.id), ...shape(tree),
    messages: messages.map(m => ({ role: m.role, text: text(m) })).filter(m => !added(m)),
  }
}

async function open(omp, file, before) {
  const state = await omp.rpc('get_state')
  if (state.sessionFile !== file) throw new Error(`${state.sessionFile} is open`)
  const seen = await see(omp)
  seen.rewrote = !readFileSync(file).equals(before)
  requests = []
  await omp.ask('On with it')
  seen.sent = (requests[0]?.messages ?? []).map(m => ({ role: m.role, text: plain(m.content).replace(undecodable, '') })).filter(m => !added(m))
  return seen
}

let shared
for (const file of files) {
  const before = readFileSync(file)
  const omp = resume ? await start('--resume', file) : (shared ??= await start())
  let seen
  try {
    if (!resume) await omp.rpc('switch_session', { sessionPath: file })
    seen = await open(omp, file, before)
  } catch (error) {
    seen = { refused: String(error?.message ?? error) }
  }
  if (resume) await omp.stop()
  console.log(JSON.stringify(seen))
}
await shared?.stop()
process.exit(0)
