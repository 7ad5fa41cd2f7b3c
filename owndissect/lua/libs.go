package lua

import (
	"fmt"
	"io"
	"math"
	"math/bits"
	"os"
	"path/filepath"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"remora/dissect"
)

// open opens everything that scripts may use.
func (m *machine) open() {
	l := m.l
	for _, lib := range []struct {
		name string
		open lua.LGFunction
	}{{lua.LoadLibName, lua.OpenPackage}, {lua.BaseLibName, lua.OpenBase}, {lua.TabLibName, lua.OpenTable},
		{lua.StringLibName, lua.OpenString}, {lua.MathLibName, lua.OpenMath}, {lua.CoroutineLibName, lua.OpenCoroutine},
		{lua.OsLibName, lua.OpenOs}, {lua.DebugLibName, lua.OpenDebug}} {
		l.Push(l.NewFunction(lib.open))
		l.Push(lua.LString(lib.name))
		l.Call(1, 0)
	}
	m.openTvb()
	m.openBytes()
	m.openAddress()
	m.openTime()
	m.openWide()
	m.openProto()
	m.openField()
	m.openItem()
	m.openPinfo()
	m.openDissectors()
	m.openExtract()
	m.openTaps()
	m.openPrefs()
	m.openConstants()
	m.openUtilities()
	m.openStruct()
	m.openFiles()
	m.openFormats()
	m.openDumper()
	m.openRex()
	m.openBits()
	m.openMore()
	m.openProtected()
	m.restrict()
	m.openLeft()
	m.listAttributes()
}

const maxFormat = 4 << 10 // of a date

// openMore adds what later versions of Lua have, and bounds what makes texts of any length.
func (m *machine) openMore() {
	l := m.l
	text := l.GetGlobal("string").(*lua.LTable)
	rep := text.RawGetString("rep")
	text.RawSetString("rep", l.NewFunction(func(l *lua.LState) int {
		s, n, sep := l.CheckString(1), intArg(l, 2), l.OptString(3, "")
		if n > 0 && (len(s)+len(sep))*n > maxText {
			l.RaiseError("resulting string too large")
		}
		m.steps.spend((len(s) + len(sep)) * max(0, n) / bytesPerStep)
		if sep == "" {
			l.SetTop(2)
			l.Push(rep)
			l.Push(lua.LString(s))
			l.Push(lua.LNumber(n))
			l.Call(2, 1)
			return 1
		}
		l.Push(lua.LString(strings.TrimSuffix(strings.Repeat(s+sep, max(0, n)), sep)))
		return 1
	}))
	for name, fn := range map[string]lua.LGFunction{"pack": m.pack53, "unpack": m.unpack53, "packsize": m.packsize53} {
		text.RawSetString(name, l.NewFunction(fn))
	}
	for name, fn := range map[string]lua.LGFunction{"format": formatText, "sub": subText, "byte": bytesOfText,
		"char": textOfBytes} {
		text.RawSetString(name, l.NewFunction(fn))
	}
	m.openPatterns(text)
	clock := l.GetGlobal("os").(*lua.LTable)
	date := clock.RawGetString("date")
	clock.RawSetString("date", l.NewFunction(func(l *lua.LState) int {
		n := l.GetTop()
		if len(l.OptString(1, "")) > maxFormat {
			l.ArgError(1, "the format is too long")
		}
		l.Insert(date, 1)
		l.Call(n, 1)
		return 1
	}))
	table := l.GetGlobal("table").(*lua.LTable)
	table.RawSetString("unpack", l.GetGlobal("unpack"))
	table.RawSetString("pack", l.NewFunction(func(l *lua.LState) int {
		t := l.NewTable()
		for i := 1; i <= l.GetTop(); i++ {
			t.RawSetInt(i, l.Get(i))
		}
		t.RawSetString("n", lua.LNumber(l.GetTop()))
		l.Push(t)
		return 1
	}))
	mathLib := l.GetGlobal("math").(*lua.LTable)
	isWhole := func(n lua.LNumber) bool { _, ok := wholeOf(n); return ok }
	mathLib.RawSetString("type", l.NewFunction(func(l *lua.LState) int {
		n, ok := l.Get(1).(lua.LNumber)
		switch {
		case !ok:
			l.Push(lua.LNil)
		case isWhole(n):
			l.Push(lua.LString("integer"))
		default:
			l.Push(lua.LString("float"))
		}
		return 1
	}))
	mathLib.RawSetString("tointeger", l.NewFunction(func(l *lua.LState) int {
		n, ok := l.Get(1).(lua.LNumber)
		if !ok || n != lua.LNumber(int64(n)) {
			l.Push(lua.LNil)
		} else {
			l.Push(integer(int64(n)))
		}
		return 1
	}))
	l.SetGlobal("rawlen", l.NewFunction(func(l *lua.LState) int {
		switch v := l.Get(1).(type) {
		case *lua.LTable:
			l.Push(lua.LNumber(v.Len()))
		default:
			l.Push(lua.LNumber(len(l.CheckString(1))))
		}
		return 1
	}))
	// Lua 5.2 has one function for text and functions
	load, loadText := l.GetGlobal("load"), l.GetGlobal("loadstring")
	l.SetGlobal("load", l.NewFunction(func(l *lua.LState) int {
		env := l.Get(4)
		var fn *lua.LFunction
		if s, ok := l.Get(1).(lua.LString); ok {
			f, err := m.compile(l.OptString(2, "chunk"), []byte(s))
			if err != nil {
				l.Push(lua.LNil)
				l.Push(lua.LString(err.Error()))
				return 2
			}
			fn = f
		} else {
			l.Push(load)
			l.Push(l.Get(1))
			l.Call(1, 2)
			var ok bool
			if fn, ok = l.Get(-2).(*lua.LFunction); !ok {
				return 2
			}
		}
		if t, ok := env.(*lua.LTable); ok {
			fn.Env = t
		}
		l.Push(fn)
		return 1
	}))
	_ = loadText
	m.unseen = map[string]*lua.LFunction{joins: l.NewFunction(m.concatenated), closes: l.NewFunction(m.closing),
		"//": l.NewFunction(quotients.do), "*": l.NewFunction(multiplied), written: l.NewFunction(quotient)}
	for name, fn := range comparisons {
		m.unseen[name] = l.NewFunction(fn)
	}
	for name, o := range map[string]struct {
		event string
		do    func(a, b int64) int64
	}{"&": {"__band", func(a, b int64) int64 { return a & b }}, "|": {"__bor", func(a, b int64) int64 { return a | b }},
		"~": {"__bxor", func(a, b int64) int64 { return a ^ b }}, "<<": {"__shl", shift},
		">>":    {"__shr", func(a, b int64) int64 { return shift(a, -b) }},
		negates: {"__bnot", func(a, _ int64) int64 { return ^a }}} {
		m.unseen[name] = l.NewFunction(m.operator(o.event, o.do))
	}
	l.SetGlobal("_VERSION", lua.LString("Lua 5.2"))
	m.openNumbers()
	m.openUTF8()
}

func shift(a, n int64) int64 {
	switch {
	case n >= 64 || n <= -64:
		return 0
	case n >= 0:
		return int64(uint64(a) << n)
	}
	return int64(uint64(a) >> -n)
}

// operator is one of Lua 5.3's operators on bits; objects of 64 bits keep them all.
func (m *machine) operator(event string, do func(a, b int64) int64) lua.LGFunction {
	return func(l *lua.LState) int {
		if l.GetTop() < 2 {
			l.Push(lua.LNumber(0))
		}
		a, isA := l.Get(1).(lua.LNumber)
		b, isB := l.Get(2).(lua.LNumber)
		if isA && isB && a == lua.LNumber(int64(a)) && b == lua.LNumber(int64(b)) {
			l.Push(integer(do(int64(a), int64(b))))
			return 1
		}
		for _, v := range []lua.LValue{l.Get(1), l.Get(2)} {
			if fn := l.GetMetaField(v, event); fn != lua.LNil {
				l.Push(fn)
				l.Push(l.Get(1))
				l.Push(l.Get(2))
				l.Call(2, 1)
				return 1
			}
		}
		v := do(bitsArg(l, 1), bitsArg(l, 2))
		for i := 1; i <= 2; i++ {
			if _, signed := is[int64](l.Get(i)); signed {
				l.Push(m.i64.object(v))
				return 1
			}
			if _, wide := is[uint64](l.Get(i)); wide {
				l.Push(m.u64.object(uint64(v)))
				return 1
			}
		}
		l.Push(integer(v))
		return 1
	}
}

// bitsArg is an operand of an operator on bits.
func bitsArg(l *lua.LState, n int) int64 {
	switch v := l.Get(n).(type) {
	case lua.LNumber:
		if v != lua.LNumber(math.Trunc(float64(v))) {
			l.RaiseError("number has no integer representation")
		}
		return clip(float64(v))
	case lua.LString, long:
		return integerArg(l, n)
	case *lua.LUserData:
		if _, ok := v.Value.(int64); ok {
			return int64(wideArg(l, n))
		}
		if _, ok := v.Value.(uint64); ok {
			return int64(wideArg(l, n))
		}
	}
	l.RaiseError("attempt to perform bitwise operation on a %s value", typeName(l.Get(n)))
	return 0
}

// concatenated joins texts, none of them too long.
func (m *machine) concatenated(l *lua.LState) int {
	n, size := l.GetTop(), 0
	for i := 1; i <= n; i++ {
		s, ok := textOf(l.Get(i))
		if !ok {
			return m.concatenatedByClass(l, n)
		}
		if size += len(s); size > maxText {
			l.RaiseError("resulting string too large")
		}
	}
	m.steps.spend(size / bytesPerStep)
	b := make([]byte, 0, size)
	for i := 1; i <= n; i++ {
		s, _ := textOf(l.Get(i))
		b = append(b, s...)
	}
	l.Push(lua.LString(b))
	return 1
}

// concatenatedByClass joins values of which one may have a function of its own for that, from the right.
func (m *machine) concatenatedByClass(l *lua.LState, n int) int {
	right := l.Get(n)
	for i := n - 1; i > 0; i-- {
		left := l.Get(i)
		s, isA := textOf(left)
		t, isB := textOf(right)
		if isA && isB {
			if len(s)+len(t) > maxText {
				l.RaiseError("resulting string too large")
			}
			right = lua.LString(s + t)
			continue
		}
		fn := l.GetMetaField(left, "__concat")
		if fn == lua.LNil {
			fn = l.GetMetaField(right, "__concat")
		}
		if fn == lua.LNil {
			bad := left
			if isA {
				bad = right
			}
			l.RaiseError("attempt to concatenate a %s value", typeName(bad))
		}
		l.Push(fn)
		l.Push(left)
		l.Push(right)
		l.Call(2, 1)
		right = l.Get(-1)
		l.Pop(1)
	}
	l.Push(right)
	return 1
}

// textOf is the text of what is text without asking: texts and numbers.
func textOf(v lua.LValue) (string, bool) {
	switch v := v.(type) {
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return numberText(float64(v)), true
	case long:
		return v.String(), true
	}
	return "", false
}

// openBits opens bit and bit32.
func (m *machine) openBits() {
	arith := func(fn func(v uint32, n uint) uint32, signed bool) lua.LGFunction {
		return func(l *lua.LState) int { return pushBits(l, fn(bitArg(l, 1), uint(bitArg(l, 2))), signed) }
	}
	fold := func(fn func(a, b uint32) uint32, start uint32, signed bool) lua.LGFunction {
		return func(l *lua.LState) int {
			v := start
			for i := 1; i <= l.GetTop(); i++ {
				if i == 1 {
					v = bitArg(l, 1)
				} else {
					v = fn(v, bitArg(l, i))
				}
			}
			return pushBits(l, v, signed)
		}
	}
	and, or, xor := func(a, b uint32) uint32 { return a & b }, func(a, b uint32) uint32 { return a | b },
		func(a, b uint32) uint32 { return a ^ b }
	shl := func(v uint32, n uint) uint32 { return v << min(n, 32) }
	shr := func(v uint32, n uint) uint32 { return v >> min(n, 32) }
	sar := func(v uint32, n uint) uint32 { return uint32(int32(v) >> min(n, 31)) }
	masked := func(f func(v uint32, n uint) uint32) func(v uint32, n uint) uint32 {
		return func(v uint32, n uint) uint32 { return f(v, n&31) }
	}
	rol := func(v uint32, n uint) uint32 { return bits.RotateLeft32(v, int(n&31)) }
	ror := func(v uint32, n uint) uint32 { return bits.RotateLeft32(v, -int(n&31)) }
	one := func(fn func(v uint32) uint32, signed bool) lua.LGFunction {
		return func(l *lua.LState) int { return pushBits(l, fn(bitArg(l, 1)), signed) }
	}
	both := func(f func(v uint32, n uint) uint32, g func(v uint32, n uint) uint32) func(v uint32, n uint) uint32 {
		return func(v uint32, n uint) uint32 {
			if int32(n) < 0 {
				return g(v, uint(-int32(n)))
			}
			return f(v, n)
		}
	}
	m.l.RegisterModule("bit", functions{"band": fold(and, ^uint32(0), true), "bor": fold(or, 0, true),
		"bxor": fold(xor, 0, true), "bnot": one(func(v uint32) uint32 { return ^v }, true),
		"tobit": one(func(v uint32) uint32 { return v }, true), "bswap": one(bits.ReverseBytes32, true),
		"lshift": arith(masked(shl), true), "rshift": arith(masked(shr), true), "arshift": arith(masked(sar), true),
		"rol": arith(rol, true), "ror": arith(ror, true), "tohex": func(l *lua.LState) int {
			n, v := optInt(l, 2, 8), bitArg(l, 1)
			form := "%0*x"
			if n < 0 {
				n, form = -n, "%0*X"
			}
			n = min(n, 8)
			l.Push(str(fmt.Sprintf(form, n, uint64(v)&(1<<(4*n)-1))))
			return 1
		}})
	field := func(l *lua.LState, at int) (shift, mask uint32) {
		f, w := intArg(l, at), optInt(l, at+1, 1)
		if f < 0 || w < 1 || f+w > 32 {
			l.RaiseError("trying to access non-existent bits")
		}
		return uint32(f), uint32(uint64(1)<<w - 1)
	}
	m.l.RegisterModule("bit32", functions{"band": fold(and, ^uint32(0), false), "bor": fold(or, 0, false),
		"bxor": fold(xor, 0, false), "bnot": one(func(v uint32) uint32 { return ^v }, false),
		"btest": func(l *lua.LState) int {
			v := ^uint32(0)
			for i := 1; i <= l.GetTop(); i++ {
				v &= bitArg(l, i)
			}
			l.Push(boolean(v != 0))
			return 1
		},
		"lshift": arith(both(shl, shr), false), "rshift": arith(both(shr, shl), false),
		"arshift": arith(both(sar, shl), false),
		"lrotate": arith(rol, false), "rrotate": arith(ror, false),
		"extract": func(l *lua.LState) int {
			at, mask := field(l, 2)
			return pushBits(l, bitArg(l, 1)>>at&mask, false)
		},
		"replace": func(l *lua.LState) int {
			at, mask := field(l, 3)
			return pushBits(l, bitArg(l, 1)&^(mask<<at)|bitArg(l, 2)&mask<<at, false)
		}})
}

func bitArg(l *lua.LState, n int) uint32 {
	if v, ok := l.Get(n).(lua.LNumber); ok {
		if w := int64(v); lua.LNumber(w) == v {
			return uint32(w)
		}
		return uint32(int64(math.RoundToEven(float64(v))))
	}
	return uint32(wideArg(l, n))
}

func pushBits(l *lua.LState, v uint32, signed bool) int {
	if signed {
		l.Push(lua.LNumber(int32(v)))
	} else {
		l.Push(lua.LNumber(v))
	}
	return 1
}

// restrict takes away what a script must not do, and bounds what it may.
func (m *machine) restrict() {
	l := m.l
	replaced := functions{"dofile": m.doFile, "loadfile": m.loadFile, "require": m.require, "print": m.print}
	for name, fn := range replaced {
		l.SetGlobal(name, l.NewFunction(fn))
	}
	pack := l.GetGlobal("package").(*lua.LTable)
	pack.RawSetString("path", str(filepath.Join(m.folder(), "?.lua")))
	pack.RawSetString("config", str("/\n;\n?\n!\n-\n"))
	pack.RawSetString("searchpath", l.NewFunction(func(l *lua.LState) int { l.Push(lua.LNil); return 1 }))
	l.SetGlobal("collectgarbage", l.NewFunction(func(l *lua.LState) int {
		if l.OptString(1, "") == "count" {
			l.Push(lua.LNumber(float64(heapSize()) / 1024))
		} else {
			l.Push(lua.LNumber(0))
		}
		return 1
	}))
	system := l.GetGlobal("os").(*lua.LTable)
	if !m.file.Unsafe {
		refuse := func(what string) *lua.LFunction {
			return l.NewFunction(func(l *lua.LState) int {
				l.RaiseError("%s is not allowed: scripts are confined, unless --lua-unsafe is given", what)
				return 0
			})
		}
		for _, name := range []string{"execute", "exit", "setenv", "setlocale", "getenv"} {
			system.RawSetString(name, refuse("os."+name))
		}
		system.RawSetString("getenv", l.NewFunction(func(l *lua.LState) int { l.Push(lua.LNil); return 1 }))
		for _, name := range []string{"remove", "rename"} {
			was := system.RawGetString(name)
			system.RawSetString(name, l.NewFunction(func(l *lua.LState) int {
				for i := 1; i <= l.GetTop(); i++ {
					m.check(l, l.CheckString(i))
				}
				n := l.GetTop()
				l.Insert(was, 1)
				l.Call(n, 2)
				return 2
			}))
		}
		system.RawSetString("tmpname", l.NewFunction(func(l *lua.LState) int {
			f, err := os.CreateTemp("", "lua_")
			if err != nil {
				l.RaiseError("%s", err.Error())
			}
			f.Close()
			m.allows[f.Name()] = true
			l.Push(str(f.Name()))
			return 1
		}))
	}
}

// check refuses a file that the script may not touch.
func (m *machine) check(l *lua.LState, path string) {
	if !m.mayRead(path) {
		l.RaiseError("%s is outside of the script's folder: scripts are confined, unless --lua-unsafe is given", path)
	}
}

func (m *machine) print(l *lua.LState) int {
	var out strings.Builder
	for i := 1; i <= l.GetTop(); i++ {
		if i > 1 {
			out.WriteByte('\t')
		}
		out.WriteString(shownValue(l, l.Get(i)))
	}
	m.write(out.String() + "\n")
	return 0
}

func (m *machine) write(text string) {
	switch {
	case m.shown != nil:
		m.shown.Print(text)
		return
	case m.o.Print != nil:
		m.o.Print(m.at(), text)
		return
	}
	io.WriteString(os.Stdout, text) //nolint:errcheck // as print does
}

// at is the packet at which the script is.
func (m *machine) at() dissect.FrameNum {
	if m.run == nil {
		return 0
	}
	return m.run.d.Frame
}

// loadText loads a file as a function.
func (m *machine) loadText(l *lua.LState, path string) (*lua.LFunction, error) {
	m.check(l, path)
	b, err := readFile(path)
	if err != nil {
		return nil, err
	}
	m.file.Reads(path)
	return m.compile(path, b)
}

func (m *machine) resolve(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	for _, dir := range []string{m.folder(), m.o.Folders[1], "."} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return filepath.Join(dir, name)
		}
	}
	return filepath.Join(m.folder(), name)
}

func (m *machine) doFile(l *lua.LState) int {
	fn, err := m.loadText(l, m.resolve(l.CheckString(1)))
	if err != nil {
		l.RaiseError("%s", err.Error())
	}
	top := l.GetTop()
	l.Push(fn)
	l.Call(0, lua.MultRet)
	return l.GetTop() - top
}

func (m *machine) loadFile(l *lua.LState) int {
	fn, err := m.loadText(l, m.resolve(l.CheckString(1)))
	if err != nil {
		l.Push(lua.LNil)
		l.Push(str(err.Error()))
		return 2
	}
	if t, ok := l.Get(3).(*lua.LTable); ok {
		fn.Env = t
	}
	l.Push(fn)
	return 1
}

// require loads a module: of the script's folder, of the folders of package.path, or beside the file that asks for it.
func (m *machine) require(l *lua.LState) int {
	name := l.CheckString(1)
	pack := l.GetGlobal("package").(*lua.LTable)
	loaded := l.GetField(pack, "loaded").(*lua.LTable)
	if v := loaded.RawGetString(name); v != lua.LNil {
		l.Push(v)
		return 1
	}
	var fn lua.LValue
	if preload, ok := l.GetField(pack, "preload").(*lua.LTable); ok {
		fn = preload.RawGetString(name)
	}
	if fn == nil || fn == lua.LNil {
		path := m.module(l, name)
		if path == "" {
			l.RaiseError("module '%s' not found in %s", name, m.folder())
		}
		f, err := m.loadText(l, path)
		if err != nil {
			l.RaiseError("%s", err.Error())
		}
		m.dirs = append(m.dirs, filepath.Dir(path))
		fn = f
	}
	loaded.RawSetString(name, lua.LTrue)
	l.Push(fn)
	l.Push(str(name))
	l.Call(1, 1)
	v := l.Get(-1)
	l.Pop(1)
	if v == lua.LNil {
		v = loaded.RawGetString(name)
	}
	loaded.RawSetString(name, v)
	l.Push(v)
	return 1
}

func (m *machine) module(l *lua.LState, name string) string {
	file := strings.ReplaceAll(name, ".", "/")
	var tries []string
	if path, ok := l.GetField(l.GetGlobal("package"), "path").(lua.LString); ok {
		for p := range strings.SplitSeq(string(path), ";") {
			tries = append(tries, strings.ReplaceAll(p, "?", file))
		}
	}
	dirs := append([]string{m.folder(), m.o.Folders[1]}, m.dirs...)
	for _, dir := range dirs {
		tries = append(tries, filepath.Join(dir, file+".lua"), filepath.Join(dir, file, "init.lua"))
	}
	for _, sub := range subfolders(m.folder()) { // as with plugins, whose folders are all searched
		tries = append(tries, filepath.Join(sub, file+".lua"))
	}
	for _, t := range tries {
		if info, err := os.Stat(t); err == nil && !info.IsDir() && m.mayRead(t) {
			return t
		}
	}
	return ""
}

// subfolders are the folders within one.
func subfolders(dir string) []string {
	entries, _ := os.ReadDir(dir)
	var out []string
	for _, e := range entries {
		if e.IsDir() && len(out) < 100 {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out
}
