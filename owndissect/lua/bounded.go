package lua

import (
	"reflect"

	"github.com/yuin/gopher-lua/ast"
)

// boundTexts has the texts that a chunk joins measured: s = s .. s in a loop fills any memory in a few steps. Where one
// of the two is written in the script, it grows no faster than steps are counted.
func boundTexts(chunk []ast.Stmt) { walk(reflect.ValueOf(chunk)) }

func walk(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return
		}
		walk(v.Elem())
		if e, ok := v.Interface().(*ast.StringConcatOpExpr); ok && v.CanSet() && !constant(e.Lhs) && !constant(e.Rhs) {
			v.Set(reflect.ValueOf(ast.Expr(joined(e))))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			walk(v.Elem())
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				walk(v.Field(i))
			}
		}
	}
}

func constant(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.StringExpr, *ast.NumberExpr:
		return true
	case *ast.StringConcatOpExpr:
		return constant(e.Lhs) && constant(e.Rhs)
	}
	return false
}

// joined is a call of the function that joins two texts.
func joined(e *ast.StringConcatOpExpr) *ast.FuncCallExpr {
	fn := &ast.IdentExpr{Value: "__cat"}
	call := &ast.FuncCallExpr{Func: fn, Args: []ast.Expr{e.Lhs, e.Rhs}}
	for _, n := range []ast.PositionHolder{fn, call} {
		n.SetLine(e.Line())
		n.SetLastLine(e.LastLine())
	}
	return call
}
