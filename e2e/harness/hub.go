package harness

// StartHub starts a hub with the flags that say where it stores everything.
func StartHub(t T, store ...string) *Server {
	t.Helper()
	return startServer(t, t.TempDir(), append([]string{"hub", "--debug"}, store...), nil)
}

// Kill ends the server at once, as a crash of the system does.
func (s *Server) Kill() {
	s.t.Helper()
	_ = s.cmd.Process.Kill() // it may have ended by itself
	<-s.done
	s.cmd = nil
}

// Home returns the home directory of the process.
func (s *Server) Home() string { return s.home }
