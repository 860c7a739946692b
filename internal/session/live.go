package session

// LiveWindow is how long after its agent last wrote a session counts as live, in ms.
const LiveWindow = 60_000

// IsLive reports whether a session whose agent last wrote at agentWrote is being
// written now, as far as can be told. Both times are in ms.
func IsLive(agentWrote, now int64) bool { return now-agentWrote < LiveWindow }

// tornWindow is how long a file must stay unchanged until its unfinished last line
// counts as left by a crash, in ms.
const tornWindow = 10_000

// IsTornByCrash reports whether the unfinished last line of a file that was last written
// at modified was left by a crash. The writer of a more recent one may still be at it.
// Both times are in ms.
func IsTornByCrash(modified, now int64) bool { return now-modified >= tornWindow }
