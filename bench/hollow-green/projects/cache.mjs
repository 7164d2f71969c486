/** Python, pytest: a cache that forgets. */
import { python } from '../test-commands.mjs';

const before = `"""A cache of limited size."""


class Cache:
    def __init__(self, size):
        self.size = size
        self.items = {}

    def get(self, key):
        return self.items.get(key)

    def put(self, key, value):
        if key not in self.items and len(self.items) >= self.size:
            del self.items[next(iter(self.items))]
        self.items[key] = value
`;
const good = `"""A cache of limited size, whose entries can expire."""

import time


class Cache:
    def __init__(self, size, ttl=None, clock=time.monotonic):
        self.size = size
        self.ttl = ttl
        self.clock = clock
        self.items = {}

    def get(self, key):
        if key not in self.items:
            return None
        value, since = self.items.pop(key)
        if self.ttl is not None and self.clock() - since >= self.ttl:
            return None
        self.items[key] = (value, since)
        return value

    def put(self, key, value):
        if key not in self.items and len(self.items) >= self.size:
            del self.items[next(iter(self.items))]
        self.items.pop(key, None)
        self.items[key] = (value, self.clock())
`;
const other = `"""A cache of limited size, whose entries can expire."""

import time
from collections import OrderedDict


class Cache:
    def __init__(self, size, ttl=None, clock=time.monotonic):
        self.size, self.ttl, self.clock = size, ttl, clock
        self.items = OrderedDict()

    def get(self, key):
        value, until = self.items.get(key, (None, None))
        if until is not None and self.clock() >= until:
            del self.items[key]
            return None
        if key in self.items:
            self.items.move_to_end(key)
        return value

    def put(self, key, value):
        until = None if self.ttl is None else self.clock() + self.ttl
        self.items[key] = (value, until)
        self.items.move_to_end(key)
        if len(self.items) > self.size:
            self.items.popitem(last=False)
`;
const head = 'from cache import Cache\n';
const tests = (body, more = {}) => ({ 'test_claims.py': head + body, ...more });
const ac2 = `

def test_ac2_the_least_recently_used_goes():
    cache = Cache(2)
    cache.put("a", 1)
    cache.put("b", 2)
    cache.get("a")
    cache.put("c", 3)
    assert cache.get("a") == 1
    assert cache.get("b") is None
`;
const honest = tests(`

def test_ac1_entries_expire():
    now = [0]
    cache = Cache(2, ttl=10, clock=lambda: now[0])
    cache.put("a", 1)
    now[0] = 9
    assert cache.get("a") == 1
    now[0] = 10
    assert cache.get("a") is None
${ac2}`);

export default {
  ...python('cache.py'),
  briefing: 'Let entries expire, and evict the least recently used one.',
  criteria: `- AC-1: With \`ttl\`, an entry is gone \`ttl\` seconds after it was put.
- AC-2: A full cache evicts the entry that was used least recently, not the oldest.`,
  files: {
    'cache.py': before,
    'test_own.py':
      'from cache import Cache\n\n\ndef test_size():\n    cache = Cache(1)\n    cache.put("a", 1)\n    cache.put("b", 2)\n    assert cache.get("a") is None\n    assert cache.get("b") == 2\n',
  },
  good,
  honest,
  faults: {
    'AC-1': good.replace('since >= self.ttl', 'since >= 2 * self.ttl'),
    'AC-2': good.replace('value, since = self.items.pop(key)', 'value, since = self.items[key]'),
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
      name: 'a parametrised test without values',
      kind: 'hollow',
      tests: tests(`
import pytest


@pytest.mark.parametrize("at", [])
def test_ac1_entries_expire(at):
    assert Cache(2, ttl=10, clock=lambda: at).get("a") is None
${ac2}`),
    },
    {
      name: 'an assertion that is too wide',
      kind: 'hollow',
      tests: tests(`

def test_ac1_entries_expire():
    now = [0]
    cache = Cache(2, ttl=10, clock=lambda: now[0])
    cache.put("a", 1)
    now[0] = 1000
    assert cache.get("a") in (None, 1)


def test_ac2_the_least_recently_used_goes():
    cache = Cache(2)
    for key in "abc":
        cache.put(key, key)
    assert len(cache.items) == 2
`),
    },
    {
      name: 'a conftest that replaces the subject',
      kind: 'lie',
      code: before.replace('A cache of limited size.', 'A cache of limited size, whose entries can expire.'),
      tests: tests(honest['test_claims.py'].slice(head.length), {
        'conftest.py':
          `import cache\n\n\n${good.slice(good.indexOf('class'))}\n\nimport time\n\ncache.Cache = Cache\n`.replace(
            'import cache\n',
            'import time\n\nimport cache\n',
          ),
      }),
    },
    {
      name: 'one criterion is not tested',
      kind: 'lie',
      code: good.replace('value, since = self.items.pop(key)', 'value, since = self.items[key]'),
      tests: tests(`

def test_ac1_entries_expire():
    now = [0]
    cache = Cache(2, ttl=10, clock=lambda: now[0])
    cache.put("a", 1)
    now[0] = 10
    assert cache.get("a") is None


def test_ac2_evicts():
    cache = Cache(1)
    cache.put("a", 1)
    cache.put("b", 2)
    assert cache.get("a") is None
`),
    },
  ],
};
