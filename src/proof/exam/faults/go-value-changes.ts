/**
 * Replaces the results of a Go function, or the value of a map entry, with different ones of the same types. Their
 * types are known only when the code runs, so a helper that uses reflection is added to the file. Pure.
 */
import type { SyntaxNode } from '@lezer/common';
import { parser } from '@lezer/go';
import { edited } from '../syntax/text-edits.ts';
import { withFinalNewline } from '../syntax/text-lines.ts';

/**
 * Returns code that evaluates the expressions, or a single call with several results, and changes their values.
 * `types`: the types of the results.
 */
export function differentGoValues(expressions: string, types: readonly string[]): string {
  const names = types.map((_, n) => `v${n}`);
  const parameters = types.map((type, n) => `v${n} ${type}`).join(', ');
  const change = `dureChange(${names.map(name => `&${name}`).join(', ')})`;
  return `func(${parameters}) (${types.join(', ')}) { ${change}; return ${names.join(', ')} }(${expressions})`;
}

/** Adds to a file the helper that the code from `differentGoValues` calls. All lines keep their numbers. */
export function withGoHelper(code: string): string {
  const clause = parser.parse(code).topNode.getChild('PackageClause');
  const at = clause?.getChild('DefName')?.to ?? 0;
  const imports = { from: at, to: at, text: '; import dureReflect "reflect"; import dureUnsafe "unsafe"' };
  return withFinalNewline(edited(code, [imports])) + HELPER;
}

/**
 * `dureChange` replaces each value with another of its type; if one of them is an error, all become zero values.
 * Letters keep their case, digits stay digits, and numbers keep their sign. Maps, slices and strings also get another
 * length, because tests may check only that. A
 * function from `dureFunc` does nothing if it has no results; otherwise, it calls the original function and changes the
 * results.
 *
 * A value that cannot be changed without knowing what it means, such as a field whose type is from another package,
 * stays as it is. If such a value is itself a result, it becomes the zero value of its type.
 */
const HELPER = `
func dureChange(pointers ...interface{}) {
	for _, pointer := range pointers {
		if err, ok := pointer.(*error); ok && *err != nil {
			for _, each := range pointers {
				value := dureReflect.ValueOf(each).Elem()
				value.Set(dureReflect.Zero(value.Type()))
			}
			return
		}
	}
	for _, pointer := range pointers {
		dureOther(dureReflect.ValueOf(pointer).Elem(), 0)
	}
}

type dureOwn struct{}

func dureOther(v dureReflect.Value, depth int) {
	if depth > 4 {
		return
	}
	t := v.Type()
	switch v.Kind() {
	case dureReflect.Bool:
		v.SetBool(!v.Bool())
	case dureReflect.Int, dureReflect.Int8, dureReflect.Int16, dureReflect.Int32, dureReflect.Int64:
		if v.Int() < 0 {
			v.SetInt(v.Int() - 1)
		} else {
			v.SetInt(v.Int() + 1)
		}
	case dureReflect.Uint, dureReflect.Uint8, dureReflect.Uint16, dureReflect.Uint32, dureReflect.Uint64:
		v.SetUint(v.Uint() + 1)
	case dureReflect.Float32, dureReflect.Float64:
		number := v.Float()
		switch {
		case number/2 == number && number != 0:
			v.SetFloat(0)
		case number+1 == number || number != 0 && number >= -1 && number <= 1:
			v.SetFloat(number / 2)
		case number < 0:
			v.SetFloat(number - 1)
		default:
			v.SetFloat(number + 1)
		}
	case dureReflect.Complex64, dureReflect.Complex128:
		v.SetComplex(v.Complex() + 1)
	case dureReflect.String:
		v.SetString(dureString(v.String()))
	case dureReflect.Array:
		for i := 0; i < v.Len(); i++ {
			dureOther(v.Index(i), depth+1)
		}
	case dureReflect.Slice:
		made := dureReflect.MakeSlice(t, v.Len(), v.Len())
		dureReflect.Copy(made, v)
		for i := 0; i < v.Len(); i++ {
			dureOther(made.Index(i), depth+1)
		}
		last := dureReflect.Zero(t.Elem())
		if v.Len() > 0 {
			last = made.Index(v.Len() - 1)
		}
		v.Set(dureReflect.Append(made, last))
	case dureReflect.Map:
		made := dureReflect.MakeMap(t)
		for _, key := range v.MapKeys() {
			other := dureReflect.New(t.Key()).Elem()
			other.Set(key)
			for i := 0; i < 2; i++ {
				dureOther(other, depth+1)
				made.SetMapIndex(other, v.MapIndex(key))
			}
		}
		for _, key := range v.MapKeys() {
			if t.Elem().Size() > 0 {
				item := dureReflect.New(t.Elem()).Elem()
				item.Set(v.MapIndex(key))
				dureOther(item, depth+1)
				made.SetMapIndex(key, item)
			}
		}
		if v.Len() == 0 {
			made.SetMapIndex(dureReflect.Zero(t.Key()), dureReflect.Zero(t.Elem()))
		} else if dureReflect.DeepEqual(made.Interface(), v.Interface()) {
			made = dureReflect.MakeMap(t)
		}
		v.Set(made)
	case dureReflect.Ptr:
		if v.IsNil() && depth > 0 {
			return
		}
		made := dureReflect.New(t.Elem())
		if !v.IsNil() {
			made.Elem().Set(v.Elem())
			dureOther(made.Elem(), depth)
		}
		v.Set(made)
	case dureReflect.Interface:
		if !v.IsNil() {
			made := dureReflect.New(v.Elem().Type()).Elem()
			made.Set(v.Elem())
			dureOther(made, depth)
			v.Set(made)
		} else if t.NumMethod() == 0 && depth == 0 {
			v.Set(dureReflect.ValueOf(dureOwn{}))
		}
	case dureReflect.Func:
		if !v.IsNil() {
			v.Set(dureFunc(dureReflect.ValueOf(v.Interface()), t))
		}
	case dureReflect.Chan:
		if !v.IsNil() && t.ChanDir() == dureReflect.RecvDir {
			made := dureReflect.MakeChan(dureReflect.ChanOf(dureReflect.BothDir, t.Elem()), 0)
			go dureForward(dureReflect.ValueOf(v.Interface()), made)
			v.Set(made)
		}
	case dureReflect.Struct:
		if t.PkgPath() == "time" && t.Name() == "Time" {
			day := []dureReflect.Value{dureReflect.ValueOf(0), dureReflect.ValueOf(0), dureReflect.ValueOf(1)}
			v.Set(v.MethodByName("AddDate").Call(day)[0])
		} else if t.PkgPath() == "" || t.PkgPath() == dureReflect.TypeOf(dureOwn{}).PkgPath() {
			for i := 0; i < v.NumField(); i++ {
				field := v.Field(i)
				dureOther(dureReflect.NewAt(field.Type(), dureUnsafe.Pointer(field.UnsafeAddr())).Elem(), depth+1)
			}
		} else if depth == 0 {
			v.Set(dureReflect.Zero(t))
		}
	}
}

func dureString(text string) string {
	bytes := []byte(text)
	for i, c := range bytes {
		switch {
		case c == 'z' || c == 'Z':
			bytes[i] = c - 25
		case c == '9':
			bytes[i] = '1'
		case c >= 'a' && c < 'z' || c >= 'A' && c < 'Z' || c >= '1' && c < '9':
			bytes[i] = c + 1
		}
	}
	switch other := string(bytes); {
	case text == "":
		return "x"
	case other == text:
		return text + text
	default:
		return other + other[len(other)-1:]
	}
}

func dureFunc(function dureReflect.Value, t dureReflect.Type) dureReflect.Value {
	return dureReflect.MakeFunc(t, func(arguments []dureReflect.Value) []dureReflect.Value {
		if t.NumOut() == 0 {
			return nil
		}
		call := function.Call
		if t.IsVariadic() {
			call = function.CallSlice
		}
		results := call(arguments)
		pointers := []interface{}{}
		for i, result := range results {
			pointer := dureReflect.New(t.Out(i))
			pointer.Elem().Set(result)
			pointers = append(pointers, pointer.Interface())
			results[i] = pointer.Elem()
		}
		dureChange(pointers...)
		return results
	})
}

func dureForward(from, to dureReflect.Value) {
	for {
		item, ok := from.Recv()
		if !ok {
			to.Close()
			return
		}
		other := dureReflect.New(item.Type()).Elem()
		other.Set(item)
		dureOther(other, 0)
		to.Send(other)
	}
}
`;

const ZERO = /^(?:nil|false|""|``|0[xXoObB]?[0_.]*)$/;
/** For these types, an empty literal is not the zero value. */
const HAS_NIL = /^(?:\[\]|map\[)/;

/** Whether a Go function that returns these values returns the zero value of each type. */
export const areGoZeroValues = (
  values: readonly SyntaxNode[],
  types: readonly string[],
  code: string,
): boolean => values.every(({ from, to }, n) => isGoZeroValue(code.slice(from, to), types[n] ?? ''));

const isGoZeroValue = (value: string, type: string): boolean =>
  ZERO.test(value) ||
  value === `*new(${type})` ||
  (value === `${type}{}` && !HAS_NIL.test(type)) ||
  [`${type}(`, `(${type})(`].some(
    start => value.startsWith(start) && value.endsWith(')') && ZERO.test(value.slice(start.length, -1)),
  );
