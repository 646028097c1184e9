import { readdir } from 'node:fs/promises';

/** The versions that the folder holds, newest first. */
export async function versionsIn(dir: string): Promise<string[]> {
  const names = (await readdir(dir, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  return names
    .map(({ name }) => name)
    .filter((name) => /^\d+\.\d+\.\d+/.test(name))
    .sort((a, b) => newer(b, a));
}

/** Above zero where the first is newer; a version is newer than what was released before it, such as `1.0.0-rc.1`. */
function newer(a: string, b: string): number {
  const [x, y] = [parts(a), parts(b)];
  for (const [index, number] of x.numbers.entries()) {
    const difference = number - (y.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  if (x.before === '' || y.before === '') return Number(x.before === '') - Number(y.before === '');
  return x.before.localeCompare(y.before, 'en', { numeric: true });
}

function parts(version: string): { numbers: number[]; before: string } {
  const [release = '', ...before] = version.split('-');
  return { numbers: release.split('.').map(Number), before: before.join('-') };
}
