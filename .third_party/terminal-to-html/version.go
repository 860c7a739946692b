package terminal

var baseVersion string = "3.17.2"

func Version() string {
	return baseVersion
}
