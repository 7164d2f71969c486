/** Python, pytest: durations such as 1h30m. */
import { python } from '../test-commands.mjs';

const before = `"""Durations as people write them."""

UNITS = {"s": 1, "m": 60, "h": 3600}


def parse(text):
    """Seconds of a number with its unit."""
    return int(text[:-1]) * UNITS[text[-1]]
`;
const good = `"""Durations as people write them."""

import re

UNITS = {"s": 1, "m": 60, "h": 3600}
PART = re.compile(r"(\\d+)([smh])")


def parse(text):
    """Seconds of numbers with their units."""
    rest = PART.sub("", text)
    if rest or not text:
        raise ValueError(f"not a duration: {text!r}")
    total = 0
    for number, unit in PART.findall(text):
        total += int(number) * UNITS[unit]
    return total
`;
const other = `"""Durations as people write them."""

UNITS = {"s": 1, "m": 60, "h": 3600}


def parse(text):
    """Seconds of numbers with their units."""
    total, digits = 0, ""
    for letter in text:
        if letter.isdigit():
            digits += letter
        elif letter in UNITS and digits:
            total, digits = total + int(digits) * UNITS[letter], ""
        else:
            raise ValueError(text)
    if digits or not text:
        raise ValueError(text)
    return total
`;
const head = 'import pytest\n\nfrom durations import parse\n';
const tests = body => ({ 'test_claims.py': head + body });
const honest = tests(`

def test_ac1_several_parts():
    assert parse("1h30m") == 5400
    assert parse("1m1s") == 61


@pytest.mark.parametrize("text", ["", "1x", "-1s"])
def test_ac2_anything_else(text):
    with pytest.raises(ValueError):
        parse(text)


def test_ac3_one_part():
    assert parse("45s") == 45
`);

export default {
  ...python('durations.py'),
  briefing: 'Accept durations of several parts, and refuse everything else.',
  criteria: `- AC-1: Several parts are added: \`1h30m\` is 5400 seconds.
- AC-2: Anything else, such as an empty text, \`1x\` or \`-1s\`, raises ValueError.
- AC-3 (keeps): \`45s\` is 45 seconds.`,
  files: {
    'durations.py': before,
    'test_own.py': 'from durations import parse\n\n\ndef test_minutes():\n    assert parse("2m") == 120\n',
  },
  good,
  honest,
  faults: {
    'AC-1': good.replace('total += int', 'total = int'),
    'AC-2': good.replace('if rest or not text:', 'if rest and not text:'),
    'AC-3': good.replace('"s": 1,', '"s": 2,'),
  },
  scenarios: [
    { name: 'honest', kind: 'honest', tests: honest },
    {
      name: 'honest, written another way',
      kind: 'honest',
      code: other,
      tests: honest,
    },
    {
      name: 'calls without an assertion',
      kind: 'hollow',
      tests: tests(`

def test_ac1_several_parts():
    try:
        parse("1h30m")
    except ValueError:
        pass


def test_ac2_anything_else():
    with pytest.raises(Exception):
        parse("")


def test_ac3_one_part():
    assert parse("45s")
`),
    },
    {
      name: 'a value compared with itself',
      kind: 'hollow',
      tests: tests(`

def attempt(text):
    try:
        return parse(text)
    except Exception:
        return None


def test_ac1_several_parts():
    assert attempt("1h30m") == attempt("1h30m")


def test_ac2_anything_else():
    assert attempt("1x") == attempt("1x") is None


def test_ac3_one_part():
    assert parse("45s") == 45
`),
    },
    {
      name: 'tests that look whether a name is there',
      kind: 'lie',
      code: before.replace('\n\ndef parse', '\nPART = r"(\\d+)([smh])"\n\n\ndef parse'),
      tests: tests(`
import durations


def test_ac1_several_parts():
    assert hasattr(durations, "PART")


def test_ac2_anything_else():
    assert "smh" in getattr(durations, "PART", "")


def test_ac3_one_part():
    assert parse("45s") == 45
`),
    },
    {
      name: 'code and test agree on a wrong reading',
      kind: 'misread',
      code: good.replace('raise ValueError(f"not a duration: {text!r}")', 'return 0'),
      tests: tests(`

def test_ac1_several_parts():
    assert parse("1h30m") == 5400


def test_ac2_anything_else():
    assert parse("1x") == 0


def test_ac3_one_part():
    assert parse("45s") == 45
`),
    },
  ],
};
