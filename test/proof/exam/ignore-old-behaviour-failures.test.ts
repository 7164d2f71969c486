/**
 * A test that needs only a new name and what the changed functions did before confirms nothing, even if it fails when a
 * new line in one of them is broken.
 */
import { expect, test } from 'vitest';
import { examined, type Files, LIMIT_MS, NO_GO, NO_PYTEST } from './examine-passed-tests.ts';

const JAVASCRIPT: Sample = {
  base: {
    'cart.mjs': `export class Cart {
  items = [];
  add(item) {
    this.items.push(item);
  }
}
`,
  },
  result: {
    'cart.mjs': `export class Cart {
  items = [];
  setLogger(log) {
    this.log = log;
  }
  first() {
    return this.items[0] ?? null;
  }
  add(item) {
    if (item === '') throw new Error('no item');
    this.items.push(item);
    this.log?.('added ' + item);
  }
}
`,
  },
  tests: {
    'all.test.mjs': `import test from 'node:test';
import assert from 'node:assert';
import { Cart } from './cart.mjs';
const cart = new Cart();
test('AC-1: an empty item is refused', () => assert.throws(() => cart.add(''), /no item/));
test('AC-2: items are logged', () => {
  cart.setLogger(undefined);
  try { cart.add('tea'); } catch ({ message }) { assert.doesNotMatch(message, /no item/); }
});
test('AC-3: items are logged', () => {
  const lines = [];
  cart.setLogger(line => lines.push(line));
  cart.add('tea');
  assert.deepEqual(lines, ['added tea']);
});
test('AC-4: an empty cart has no first item', () => assert.equal(new Cart().first() ?? null, null));
`,
  },
  command: 'node --test --test-reporter=tap all.test.mjs',
};

const PYTHON: Sample = {
  base: {
    'cart.py': `class Cart:
    def __init__(self):
        self.items = []

    def add(self, item):
        self.items.append(item)
`,
  },
  result: {
    'cart.py': `class Cart:
    def __init__(self):
        self.items = []
        self.log = None

    def set_logger(self, log):
        self.log = log

    def first(self):
        return self.items[0] if self.items else None

    def add(self, item):
        if item == "":
            raise ValueError("no item")
        self.items.append(item)
        if self.log is not None:
            self.log("added " + item)
`,
  },
  tests: {
    'test_cart.py': `import pytest
from cart import Cart

def test_ac1_an_empty_item_is_refused():
    with pytest.raises(ValueError, match="no item"):
        Cart().add("")

def test_ac2_items_are_logged():
    cart = Cart()
    cart.set_logger(None)
    try:
        cart.add("tea")
    except ValueError:
        pytest.fail("add raised an error")

def test_ac3_items_are_logged():
    cart, lines = Cart(), []
    cart.set_logger(lines.append)
    cart.add("tea")
    assert lines == ["added tea"]

def test_ac4_an_empty_cart_has_no_first_item():
    assert Cart().first() is None
`,
  },
  command: 'python3 -m pytest -q -p no:cacheprovider --junitxml=report.xml test_cart.py',
};

const GO: Sample = {
  base: {
    'go.mod': 'module example.org/cart\n\ngo 1.18\n',
    'cart.go': `package cart

type Cart struct {
	Items []string
}

func (c *Cart) Add(item string) error {
	c.Items = append(c.Items, item)
	return nil
}
`,
  },
  result: {
    'cart.go': `package cart

import "errors"

type Cart struct {
	Items []string
	log   func(string)
}

func (c *Cart) SetLogger(log func(string)) {
	c.log = log
}

func (c *Cart) First() string {
	if len(c.Items) == 0 {
		return ""
	}
	return c.Items[0]
}

func (c *Cart) Add(item string) error {
	if item == "" {
		return errors.New("no item")
	}
	c.Items = append(c.Items, item)
	if c.log != nil {
		c.log("added " + item)
	}
	return nil
}
`,
  },
  tests: {
    'cart_test.go': `package cart

import "testing"

// AC-1, AC-2, AC-3, AC-4
func TestAC1EmptyItemsAreRefused(t *testing.T) {
	if (&Cart{}).Add("") == nil {
		t.Error("not refused")
	}
}

func TestAC2ItemsAreLogged(t *testing.T) {
	c := &Cart{}
	c.SetLogger(nil)
	if err := c.Add("tea"); err != nil {
		t.Error("Add failed")
	}
}

func TestAC3ItemsAreLogged(t *testing.T) {
	c, line := &Cart{}, ""
	c.SetLogger(func(l string) { line = l })
	c.Add("tea")
	if line != "added tea" {
		t.Errorf("got %q", line)
	}
}

func TestAC4EmptyCartHasNoFirstItem(t *testing.T) {
	if first := (&Cart{}).First(); first != "" {
		t.Errorf("got %q", first)
	}
}
`,
  },
  command: 'go test -json ./...',
};

interface Sample {
  readonly base: Files;
  readonly result: Files;
  readonly tests: Files;
  readonly command: string;
}

const SAMPLES: readonly [string, Sample, boolean][] = [
  ['JavaScript', JAVASCRIPT, false],
  ['Python', PYTHON, NO_PYTEST],
  ['Go', GO, NO_GO],
];

for (const [language, { base, result, tests, command }, cannotRun] of SAMPLES)
  test.skipIf(cannotRun)(
    `in ${language}, a test that needs only new names and the old behaviour confirms nothing`,
    { timeout: LIMIT_MS },
    async () => {
      const { output, shown } = await examined(base, result, tests, command);
      expect(shown).toEqual({
        'AC-1': 'confirmed',
        'AC-2': 'not-claimed kill',
        'AC-3': 'confirmed',
        'AC-4': 'confirmed',
      });
      const [, hollow] = output.criteria;
      expect(hollow!.tests[0]).toMatchObject({ stubs: 'pass', killed_by: [] });
      expect(hollow!.reason).toMatch(/^its test passes if the changed functions work as before/);
    },
  );
