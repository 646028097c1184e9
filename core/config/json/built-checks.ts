/**
 * Checks that the build compiled (core/build/host-checks.ts), by `checkKey`: the file with the check, in this folder,
 * and the export's name. The bundle has its own version of this file. The build also writes a version that leads to the
 * bundle into the compiler's output. As the compiler alone writes it, the list is empty.
 */
export const BUILT_CHECKS: Readonly<Record<string, readonly [file: string, name: string]>> = {};
