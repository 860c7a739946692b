// Package syscallfault makes single system calls of a test fail, without any other
// program: the test runs in a process of its own in which the kernel asks before each
// call that has to do with files.
package syscallfault
