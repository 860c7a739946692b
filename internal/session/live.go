package session

// liveWindow is how long after its agent last wrote a session counts as live, in ms.
const liveWindow = 60_000

// IsLive reports whether a session whose agent last wrote at agentWrote is being
// written now, as far as can be told. Both times are in ms.
func IsLive(agentWrote, now int64) bool { return now-agentWrote < liveWindow }
