package omp

// ToolStartType is the type of the custom entries that record that oh-my-pi started a tool, with
// the arguments of the call.
const ToolStartType = "tool_execution_start"
