// An extension of pi and oh-my-pi: RPC mode has no commands to move inside a session
// file, to set a label and the like, so these slash commands do it.
export default function (pi) {
  const go = summarize => async (id, context) => {
    await context.waitForIdle()
    await context.navigateTree(id.trim(), { summarize })
  }
  pi.registerCommand('go', { description: 'move to an entry', handler: go(false) })
  pi.registerCommand('go-summary', { description: 'move to an entry and summarise what is left', handler: go(true) })
  pi.registerCommand('mark', {
    description: 'label an entry',
    handler: async (text, context) => {
      const [id, ...words] = text.trim().split(/\s+/)
      context.sessionManager.appendLabelChange(id, words.join(' ') || undefined)
    },
  })
  pi.registerCommand('note', {
    description: 'add a message of an extension, and state of it',
    handler: async text => {
      pi.appendEntry('moves', { noted: true })
      pi.sendMessage({ customType: 'note', content: text, display: true })
    },
  })
  // oh-my-pi writes this line on /clear, which only its terminal interface has.
  pi.registerCommand('reset', { description: 'start the context over', handler: async (_, context) => void context.sessionManager.appendResetBoundary() })
}
