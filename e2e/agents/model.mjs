// A make-believe model on 127.0.0.1 that speaks the streaming chat-completions
// API, so that a real agent runs without network and without a key. What it answers
// depends only on the last prompt:
//   run: COMMAND   calls the bash tool, then reports its output
//   scout: TASK   calls oh-my-pi's tool that starts a sub-agent
//   think: TEXT    thinks first
//   break          answers HTTP 400
//   anything else  is echoed; a request for a summary gets a short one
import { createServer } from 'node:http'

// oh-my-pi puts the date before the first prompt of each request.
const date = /^<system-reminder>\nToday: [^]*?<\/system-reminder>\s*/

/** The text of a message, without what the agent itself adds to a request. */
export function plain(content) {
  const text = typeof content === 'string' ? content : (content ?? []).map(block => block.text ?? '').join('')
  return text.replace(date, '')
}

const scout = task => ({ name: 'task', args: { context: 'Nothing else is known.', tasks: [{ name: 'Scout', agent: 'task', task }] } })

function decide(messages) {
  const last = messages.at(-1) ?? {}
  const prompt = plain(messages.findLast(m => m.role === 'user')?.content).trim()
  if (last.role === 'tool') return { text: `It printed: ${plain(last.content).trim().slice(0, 60)}` }
  if (/summar/i.test(plain(messages[0]?.content)) || prompt.includes('<conversation>'))
    return { text: '## Goal\nWalk the session tree.\n\n## Done\nSome prompts were answered.' }
  if (prompt === 'break') return { status: 400 }
  if (prompt.startsWith('run:')) return { text: 'Running it.', call: { name: 'bash', args: { command: prompt.slice(4).trim() } } }
  if (prompt.startsWith('scout:')) return { text: 'Starting a scout.', call: scout(prompt.slice(7).trim()) }
  if (prompt.startsWith('think:')) return { thinking: 'One thing at a time.', text: `Thought about ${prompt.slice(6).trim()}` }
  return { text: `You said: ${prompt.slice(0, 120)}` }
}

const read = async request => {
  let body = ''
  for await (const part of request) body += part
  return body
}

/**
 * Starts the model. It returns its base URL and a function that ends it. heard is
 * called with the body of every request.
 */
export async function startModel(heard = () => {}) {
  let serial = 0
  const server = createServer(async (request, response) => {
    const body = await read(request)
    response.setHeader('content-type', 'application/json')
    if (request.method === 'GET') return response.end(JSON.stringify({ object: 'list', data: [{ id: 'echo-1', object: 'model' }] }))
    let asked
    try {
      asked = JSON.parse(body)
    } catch {
      return response.writeHead(400).end('{}')
    }
    heard(asked)
    const answer = decide(asked.messages ?? [])
    if (answer.status) return response.writeHead(answer.status).end(JSON.stringify({ error: { message: 'told to break' } }))
    serial++
    const usage = { prompt_tokens: Math.ceil(body.length / 4), completion_tokens: Math.ceil(answer.text.length / 4) }
    usage.total_tokens = usage.prompt_tokens + usage.completion_tokens
    const finish = answer.call ? 'tool_calls' : 'stop'
    if (!asked.stream) {
      const choice = { index: 0, finish_reason: finish, message: { role: 'assistant', content: answer.text } }
      return response.end(JSON.stringify({ id: `echo-${serial}`, object: 'chat.completion', model: asked.model, choices: [choice], usage }))
    }
    stream(response, `echo-${serial}`, asked.model, answer, finish, usage)
  })
  await new Promise((done, failed) => {
    server.once('error', failed)
    server.listen(0, '127.0.0.1', done)
  })
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${server.address().port}/v1`, stop }
}

function stream(response, id, model, answer, finish, usage) {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (delta, rest = {}, reason = null) => {
    const chunk = { id, object: 'chat.completion.chunk', created: 1, model, choices: [{ index: 0, delta, finish_reason: reason }], ...rest }
    response.write(`data: ${JSON.stringify(chunk)}\n\n`)
  }
  send({ role: 'assistant', content: '' })
  if (answer.thinking) send({ reasoning_content: answer.thinking })
  for (const word of answer.text.split(/(?<= )/)) send({ content: word })
  if (answer.call) {
    const call = { name: answer.call.name, arguments: JSON.stringify(answer.call.args) }
    send({ tool_calls: [{ index: 0, id: `call_${id}`, type: 'function', function: call }] })
  }
  send({}, { usage }, finish)
  response.end('data: [DONE]\n\n')
}
