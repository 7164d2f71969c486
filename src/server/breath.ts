/** Names that come in one breath are told together, each once. */
const BREATH_MS = 20;

export interface Breath {
  add(name: string): void;
  /** Nothing is told after this. */
  end(): void;
}

export function breath(tell: (names: readonly string[]) => void): Breath {
  const names = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  let over = false;
  const out = () => {
    timer = null;
    const told = [...names];
    names.clear();
    tell(told);
  };
  return {
    add(name) {
      if (over) return;
      names.add(name);
      timer ??= setTimeout(out, BREATH_MS);
    },
    end() {
      over = true;
      if (timer) clearTimeout(timer);
    },
  };
}
