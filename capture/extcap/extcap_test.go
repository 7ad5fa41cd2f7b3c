package extcap

import (
	"fmt"
	"testing"
)

// TestSentences reads what programs tell, braces within braces and nonsense, too.
func TestSentences(t *testing.T) {
	in := parseInterfaces("/x/p",
		"extcap {version=1}\ninterface {value=a}{display=An {odd} one}\ninterface {display=b}\n{\n")
	if fmt.Sprint(in) != "[{a An {odd} one /x/p 1 false}]" {
		t.Errorf("%v", in)
	}
	args := parseArguments("arg {number=0}{call=--on}{type=boolflag}{default=TRUE}\narg " +
		"{number=1}{call=--n}{required=true}\n" +
		"value {arg=7}{value=lost}\narg {number=2}{call=--of}{type=radio}\nvalue {arg=2}{value=x}{default=true}\n" +
		"value {arg=2}{value=y}\n")
	if len(args) != 3 || args[2].Default != "x" || len(args[2].Values) != 2 || !args[1].Required {
		t.Fatalf("%+v", args)
	}
	i := Interface{Name: "My-Card"}
	if key := i.Key(Argument{Call: "--two-words"}); key != "extcap.my_card.twowords" {
		t.Errorf("the preference is %s", key)
	}
	if _, err := i.Words(args, nil, "", "/f"); err == nil {
		t.Error("an argument that is required is missing, and nobody says so")
	}
	words, err := i.Words(args, map[string]string{"extcap.my_card.n": "5", "extcap.my_card.of": "y"}, "udp", "/f")
	if want :=
		"[--capture --extcap-interface My-Card --extcap-capture-filter udp --fifo /f --on --n 5 --of y]"; err != nil ||
		fmt.Sprint(words) != want {
		t.Errorf("%v %v", words, err)
	}
	words, _ = i.Words(args[:1], map[string]string{"extcap.my_card.on": "false"}, "", "/f")
	if fmt.Sprint(words) != "[--capture --extcap-interface My-Card --fifo /f]" {
		t.Errorf("switched off: %v", words)
	}
	if err := args[2].Check("z"); err == nil {
		t.Error("z is none of the values")
	}
	for kind, bad := range map[string]string{"integer": "x", "long": "1.5", "unsigned": "-1", "double": "much"} {
		a := Argument{Type: kind}
		if a.Check(bad) == nil || a.Check("5") != nil || a.Check("") != nil {
			t.Errorf("%s: %q is taken, or 5 and nothing are not", kind, bad)
		}
	}
}
