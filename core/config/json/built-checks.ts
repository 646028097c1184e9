/**
 * Checks that the build has compiled (core/build/host-checks.ts), by `checkKey`: the file beside this one that has a check, and
 * its name there. The bundle has its own version of this file, and the build puts one beside the rest of the compiler's output that
 * leads to the bundle; as the compiler alone writes it, there are none.
 */
export const BUILT_CHECKS: Readonly<Record<string, readonly [file: string, name: string]>> = {};
