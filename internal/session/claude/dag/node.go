package dag

// Class is the kind of an entry as far as the ladder distinguishes it.
type Class uint8

// The classes.
const (
	ClassUser       Class = iota
	ClassAssistant        // one block of an answer
	ClassSystem           // a line about the agent itself
	ClassStructural       // an attachment, progress, or any other type
)

// IsMessage reports whether the entry is a part of the conversation.
func (c Class) IsMessage() bool { return c == ClassUser || c == ClassAssistant }

// Node is one line of a transcript that has a uuid.
type Node struct {
	ID          string
	Parent      string // parentUuid, "" when null
	Logical     string // compact_boundary: logicalParentUuid
	KeptIDs     []string
	Session     string            // with AgentMark and the agent in an agent's thread
	Stamp       string            // as recorded: times are compared as strings
	Agent       string            // agentId, or toolUseResult.agentId
	Origin      string            // session in which a copied answer was requested
	TaskPrompts map[string]uint64 // hashes of the prompts of Task calls, by tool use id
	PromptHash  uint64            // hash of the first prompt in an agent's file
	Run         string            // the workflow run that a result names
	Task        string            // the workflow's task that a result names
	Calls       []string
	Results     []string // ids of the calls whose results it holds
	Class       Class

	Sidechain bool
	Boundary  bool // system/compact_boundary
	Spawns    bool // holds a Task or Agent call
}
