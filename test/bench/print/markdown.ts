import type { NodeResults, Results } from './results.js';
import { cellsOf, comparedCells, comparedHead, FIGURE_HEAD, notesOf } from './words.js';

/** The cells that readers of the table need. Goals are internal: they are only in the text that the bench prints. */
const SHOWN = FIGURE_HEAD.indexOf('goal');

/** The table with the circumstances of its values, and the command to repeat the measurement. */
export function markdown({ circumstances, runs, seconds, nodes }: Results): string {
  const { keyhost, isBundle, peers, machine, date, command } = circumstances;
  const of = nodes.map(({ node }) => node).join(', ');
  const about =
    `Keyhost ${keyhost}${isBundle ? '' : ', **not the bundle**'} and its peers (${peers.join(', ')}) on Node ${of}; ` +
    `${machine}; ${date}. µs are CPU of the server for one request, user and system of all threads; each figure is the ` +
    `median of ${runs} ${runs === 1 ? 'run' : 'alternating runs'} of ${seconds} s.`;
  const tables = nodes.flatMap((one) => [...(nodes.length === 1 ? [] : [`**Node ${one.node}**`]), ...tablesOf(one)]);
  return `${[`\`\`\`sh\n${command}\n\`\`\``, ...tables, about].join('\n\n')}\n`;
}

function tablesOf({ figures, comparisons, failures }: NodeResults): string[] {
  const blocks: string[] = [];
  if (figures.length > 0) {
    const shown = figures.map((figure) => cellsOf(figure).slice(0, SHOWN));
    blocks.push(table(FIGURE_HEAD.slice(0, SHOWN), shown));
  }
  const [first] = comparisons;
  if (first !== undefined) {
    blocks.push(table(comparedHead(first), comparisons.map(comparedCells)));
    blocks.push(
      'CPU of the server for one request (times Keyhost’s), requests answered in a second (which part of Keyhost’s, where ' +
        'the CPU is not known), and their p99, from 16 connections.',
    );
  }
  const notes = [...notesOf(comparisons), ...failures.map(({ name, reason }) => `${name}: not measured, ${reason}`)];
  if (notes.length > 0) blocks.push(notes.map((note) => `- ${oneLine(note)}`).join('\n'));
  return blocks;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => oneLine(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

/** Text of a server must not end a row or a block. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').replaceAll('<!--', '').trim();
