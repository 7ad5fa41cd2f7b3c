package httpbody

import "strings"

// A Call is what messages of gRPC are known by beside their media type: the method, and which way they go.
type Call struct {
	Media    string // with its parameters
	Path     string // "/service/method"
	Request  bool
	Encoding string // of messages that are packed
}

// IsCall tells whether a media type is one of gRPC's.
func IsCall(media string) bool {
	return len(media) >= len(grpc) && strings.EqualFold(media[:len(grpc)], grpc)
}

const grpc = "application/grpc"

// Text is the call as the layer inside is told of it: behind the media type.
func (c Call) Text() string {
	way := "response"
	if c.Request {
		way = "request"
	}
	return strings.Join([]string{c.Media + ";", c.Path, way, c.Encoding}, "\n")
}

// ParseCall reads Text; what is none is a media type alone.
func ParseCall(text []byte) (c Call) {
	parts := strings.Split(string(text), "\n")
	c.Media = strings.TrimSuffix(parts[0], ";")
	if len(parts) == 4 {
		c.Path, c.Request, c.Encoding = parts[1], parts[2] == "request", parts[3]
	}
	return c
}

// Name is the media type without parameters, in lower case.
func (c Call) Name() string {
	name, _, _ := strings.Cut(c.Media, ";")
	return strings.ToLower(strings.TrimSpace(name))
}
