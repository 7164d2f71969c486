/** Generates random numbers that are determined by a seed (mulberry32). */
export function randomFrom(...seeds) {
  let state = seeds.reduce((sum, seed) => Math.imul(sum ^ seed, 0x9e3779b1) + 0x85ebca6b, 1) >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least, most) => least + Math.floor(next() * (most - least + 1));
  return { next, between, one: list => list[between(0, list.length - 1)] };
}
