import { readFile, writeFile } from 'node:fs/promises';
import { decode, encode, type SourceMapSegment } from '@jridgewell/sourcemap-codec';

const NON_ASCII = /[\u0080-\uffff]/g;

/**
 * Rewrites a chunk in ASCII, with `\uXXXX` for other characters, and moves the columns of its source map. V8 holds the
 * text of all loaded code in memory, with two bytes for each character if a single one is not Latin-1. Only strings,
 * template literals and regular expressions contain such characters. Escapes have the same meaning in all of them.
 * @param file path of the chunk; its map has the same path with `.map`
 * @throws Error if the chunk uses `String.raw`, which does not interpret escapes
 */
export async function writeAsAscii(file: string): Promise<void> {
  const code = await readFile(file, 'utf8');
  if (code.search(NON_ASCII) < 0) return;
  if (/String\.raw`[^`]*[\u0080-\uffff]/.test(code))
    throw new Error(`${file}: String.raw has a character beyond ASCII`);
  const mapFile = `${file}.map`;
  const map = JSON.parse(await readFile(mapFile, 'utf8')) as { mappings: string };
  const lines = code.split('\n');
  const mappings = decode(map.mappings).map((segments, index) => moveColumns(segments, lines[index] ?? ''));
  await writeFile(mapFile, JSON.stringify({ ...map, mappings: encode(mappings) }));
  await writeFile(file, code.replace(NON_ASCII, escapeCharacter));
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Each escaped character takes five more columns than before. */
function moveColumns(segments: readonly SourceMapSegment[], line: string): SourceMapSegment[] {
  const columns = [...line.matchAll(NON_ASCII)].map(({ index }) => index);
  let passed = 0;
  return segments.map((segment) => {
    while (passed < columns.length && (columns[passed] as number) < segment[0]) passed += 1;
    const moved = [...segment] as SourceMapSegment;
    moved[0] += passed * 5;
    return moved;
  });
}
