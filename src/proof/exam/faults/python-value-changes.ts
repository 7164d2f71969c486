/** Changes values in Python within their types. Pure. */
import { joinedLines, type ValueChanges } from './value-changes.ts';

const changed = (changes: string, expression: string): string =>
  `(lambda other, v: other(other, v))(lambda other, v: ${changes}, (${expression}))`;

/** Code that changes the parts of a value, for several types. */
const ITEMS = "([other(other, x) for x in v] or ['x'])";
const ENTRIES = "({key: other(other, x) for key, x in v.items()} or {'x': 1})";
/** The items of a set that is larger than the original, because tests may count them. */
const SET_ITEMS = joinedLines(`
(lambda s: s - v and s or [object()])(
  (lambda s: s.union(other(other, x) for x in s))({other(other, x) for x in v} or {'x'})
)`);
const COPY = "__import__('copy').copy(v)";

/** The first condition that holds decides. `onlyValue`: the replacement for a value that may be the only one of its type. */
const changes = (onlyValue: 'v' | 'object()'): string =>
  joinedLines(`
object() if v is None else
not v if isinstance(v, bool) else
# The members of an enum are singletons, some of them numbers or strings, and an enum has no subclasses.
next((x for x in type(v) if x is not v), object()) if isinstance(v, __import__('enum').Enum) else
${onlyValue} if isinstance(v, __import__('enum').EnumMeta) or __import__('inspect').iscoroutinefunction(v) else

# A class: a subclass whose instances have different attribute values, and whose methods return different results.
type(v)(v.__name__, (v,), {
  **{name: x for name, x in vars(v).items() if name not in ('__dict__', '__weakref__', '__slots__')},
  '__getattribute__': lambda self, name: (
    (lambda x: x if name[:2] == '__' else other(other, x))(v.__getattribute__(self, name))
  ),
  **{
    name: (lambda f: lambda self, *a, **k: other(other, f(self, *a, **k)))(getattr(v, name))
    for name in ('__str__', '__call__', '__len__', '__contains__', '__getitem__', '__iter__', '__enter__')
    if any(name in vars(k) for k in v.__mro__ if k not in (object, BaseException, Exception))
  },
}) if isinstance(v, type) else
__import__('functools').wraps(v)(lambda *a, **k: other(other, v(*a, **k)))
  if callable(v) and hasattr(v, '__name__') else

# A fraction, such as a probability, stays a fraction.
(lambda x: x if x != v else 0.0)(v / 2 if 0 < abs(v) <= 1 or v + 1 == v else v - 1 if v < 0 else v + 1)
  if isinstance(v, (float, __import__('decimal').Decimal, __import__('fractions').Fraction)) else
(v - 1 if v < 0 else v + 1) if isinstance(v, __import__('numbers').Integral) else
v + 1 if hasattr(v, 'real') else

# Zeros stay unless there is nothing else to change, because a number in JSON must not have leading zeros.
(lambda s: s if type(v) is str else str.__new__(type(v), s))(
  (lambda s: s if s != v else v.replace('0', '1') if '0' in v else v + v or 'x')(
    ''.join(
      {'z': 'a', 'Z': 'A', '9': '1', '0': '0'}.get(c) or (chr(ord(c) + 1) if c < '{' and c.isalnum() else c)
      for c in v
    )
  )
) if isinstance(v, str) else
type(v)(bytes(b ^ 1 for b in v) or b'x') if type(v) in (bytes, bytearray, memoryview) else

${ENTRIES} if type(v) is dict else
(lambda made: dict.update(made, ${ENTRIES}) or made)(${COPY}) if isinstance(v, dict) else
(other(other, x) for x in v) if hasattr(v, '__next__') else
type(v)(${ITEMS}) if type(v) in (list, tuple, __import__('collections').deque) else
type(v)(${SET_ITEMS}) if type(v) in (set, frozenset) else
v._make(other(other, x) for x in v) if hasattr(v, '_make') else
# Classes that extend these types may have other parameters.
(lambda made: made.__dict__.update(v.__dict__) or made)(tuple.__new__(type(v), ${ITEMS}))
  if isinstance(v, tuple) and hasattr(v, '__dict__') else
frozenset.__new__(type(v), ${SET_ITEMS}) if isinstance(v, frozenset) else
(lambda made: list.__init__(made, ${ITEMS}) or made)(${COPY}) if isinstance(v, list) else
(lambda made: set.__init__(made, ${SET_ITEMS}) or made)(${COPY}) if isinstance(v, set) else

v + __import__('datetime').timedelta(days=1) if isinstance(v, __import__('datetime').date) else
v * 2 or __import__('datetime').timedelta(days=1) if isinstance(v, __import__('datetime').timedelta) else
v.replace(second=(v.second + 1) % 60) if isinstance(v, __import__('datetime').time) else
(
  __import__('datetime').timezone.utc if v.utcoffset(None)
  else __import__('datetime').timezone(__import__('datetime').timedelta(hours=1))
) if isinstance(v, __import__('datetime').timezone) else
# The module zoneinfo does not exist before Python 3.9, so the class is recognized by its name.
type(v)('Etc/GMT+1' if v.key == 'UTC' else 'UTC') if type(v).__name__ == 'ZoneInfo' else
range(v.start, v.stop + v.step, v.step) if isinstance(v, range) else
slice(v.start, 1 if v.stop is None else other(other, v.stop), v.step) if isinstance(v, slice) else
type(v)(other(other, dict(v))) if isinstance(v, __import__('types').MappingProxyType) else
__import__('re').compile('(?!)' if isinstance(v.pattern, str) else b'(?!)')
  if isinstance(v, __import__('re').Pattern) else
v / 'x' if isinstance(v, __import__('pathlib').PurePath) else
type(v)(int=v.int ^ 1) if isinstance(v, __import__('uuid').UUID) else

# An object whose copy is the object itself may be a sentinel.
(lambda made: object() if made is v else
  made.__dict__.update({key: other(other, x) for key, x in made.__dict__.items()}) or made
)(${COPY}) if hasattr(v, '__dict__') else
(lambda made: [
  setattr(made, name, other(other, getattr(v, name)))
  for k in type(v).__mro__ for name in getattr(k, '__slots__', ()) if name[:2] != '__' and hasattr(v, name)
] and made)(${COPY}) if hasattr(v, '__slots__') else
${onlyValue}`);

/** Faults keep the type of every value, because a test that checks only the type must not fail. */
const DIFFERENT = changes('v');
/** Instances of a class without attributes may be equal. */
const UNEQUAL = `object() if getattr(v, '__dict__', None) == {} and not callable(v) else ${changes('object()')}`;

export const PYTHON_VALUES: ValueChanges = {
  different: expression => changed(DIFFERENT, expression),
  unequal: expression => changed(UNEQUAL, expression),
  dropped: expression => `((${expression}), None)[1]`,
  nothing: 'None',
  withinType: null,
};
