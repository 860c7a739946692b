package modelcontext

// Part is a part of a request.
type Part uint8

// The parts, in the order in which they are shown.
const (
	System Part = iota
	Tools
	Unrecorded // the system prompt and the tools, where the file does not hold them
	Summary
	Prompts
	Answers
	Results
	Images
	PartCount
)

var partNames = [PartCount]string{"system", "tools", "unrecorded", "summary", "prompts", "answers", "results", "images"}

// Name returns the stable name of a part.
func (p Part) Name() string { return partNames[p] }

// Tokens are numbers of tokens by part.
type Tokens [PartCount]int64

// Sum returns all tokens.
func (t *Tokens) Sum() (n int64) {
	for _, part := range t {
		n += part
	}
	return n
}

// Add adds the tokens of other parts.
func (t *Tokens) Add(o *Tokens) {
	for part := range t {
		t[part] += o[part]
	}
}

const (
	bytesPerToken = 4 // of text, about
	imageTokens   = 1200
)

// estimateText returns about how many tokens a text of n bytes takes.
func estimateText(n int) int64 { return int64(n+bytesPerToken-1) / bytesPerToken }

// sumTokens returns all tokens of rows.
func sumTokens(rows []*Tokens) (n int64) {
	for _, row := range rows {
		n += row.Sum()
	}
	return n
}

// scaleTokens multiplies all numbers so that their sum is total. Each is rounded to one of the
// two nearest integers. If all of them are 0, they stay 0.
func scaleTokens(rows []*Tokens, total int64) {
	var before, given int64
	sum := sumTokens(rows)
	if sum == 0 {
		return
	}
	for _, row := range rows {
		for part := range row {
			before += row[part]
			upTo := scaleRounded(before, total, sum)
			row[part], given = upTo-given, upTo
		}
	}
}

// scaleRounded returns n*total/sum for n <= sum. Its error is below one even for numbers whose
// product overflows.
func scaleRounded(n, total, sum int64) int64 {
	if n == sum {
		return total
	}
	return min(int64(float64(n)/float64(sum)*float64(total)), total)
}
