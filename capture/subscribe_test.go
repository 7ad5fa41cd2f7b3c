package capture

import "testing"

func TestSubscribers(t *testing.T) {
	s, w, _ := New(t.Context(), "none", Options{}, Unchanging{})
	a, cancelA := s.Subscribe()
	b, cancelB := s.Subscribe()
	<-a
	<-b
	cancelA()
	w.Wake()
	w.Wake()
	<-b
	select {
	case <-a:
		t.Error("a cancelled subscriber was told")
	case <-b:
		t.Error("two wake-ups did not become one")
	default:
	}
	cancelB()
	w.Wake()
}

// TestSubscribeWhilePacketsCome subscribes again and again while a writer wakes everybody: it must never wait.
func TestSubscribeWhilePacketsCome(t *testing.T) {
	s, w, _ := New(t.Context(), "none", Options{}, Unchanging{})
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			select {
			case <-stop:
				return
			default:
				w.Wake()
			}
		}
	}()
	for range 20_000 {
		_, cancel := s.Subscribe()
		cancel()
	}
	close(stop)
	<-done
}
