/** `import()` for code that is run from a cache: Node lets only files do it that it has loaded itself. */
export const importing = (specifier: string): Promise<unknown> => import(specifier);
