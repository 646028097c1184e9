/**
 * Packages that are installed next to the host instead of being bundled: shared with plugins, native, or needed by few
 * starts.
 */
export const UNBUNDLED_PACKAGES: readonly string[] = [
  '@keyhost/spi',
  '@node-rs/argon2',
  '@photostructure/sqlite',
  'ajv',
  'ajv-formats',
  'pg',
];

/**
 * Checks that npm installs exactly the packages that the bundle leaves out. Others would be there twice, or missing.
 * @param dependencies those of the host's package.json
 * @throws Error with the packages that are in the wrong list
 */
export function checkRunTimeDependencies(dependencies: Readonly<Record<string, string>>): void {
  const declared = Object.keys(dependencies);
  const bundled = declared.filter((name) => !UNBUNDLED_PACKAGES.includes(name));
  const missing = UNBUNDLED_PACKAGES.filter((name) => !declared.includes(name));
  if (bundled.length > 0) throw new Error(`${bundled.join(', ')}: the bundle contains it; move it to devDependencies`);
  if (missing.length > 0)
    throw new Error(`${missing.join(', ')}: the bundle does not contain it; move it to dependencies`);
}
