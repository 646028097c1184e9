/**
 * The checks that the build compiled (core/build/host-checks.ts), by `checkKey`: the file with the check, in this
 * folder, and the name of its export. The build replaces this file in the bundle and in the compiler's output. Without
 * the build, the list is empty.
 */
export const BUILT_CHECKS: Readonly<Record<string, readonly [file: string, name: string]>> = {};
