import type { Comparison } from '../compare/comparison.js';
import type { Figure } from '../figure.js';
import { cellsOf, comparedCells, comparedHead, FIGURE_HEAD } from './words.js';

const WIDTHS = [58, 10, 34, 20, 18, 6];

export const figureLine = (figure: Figure) => line(cellsOf(figure));
export const headLine = () => line(FIGURE_HEAD);

export const comparedLine = (comparison: Comparison) => wide(comparedCells(comparison));
export const comparedHeadLine = (comparison: Comparison) => wide(comparedHead(comparison));

function line(cells: readonly string[]): string {
  return `${cells
    .map((cell, index) => cell.padEnd(WIDTHS[index] ?? 0))
    .join('  ')
    .trimEnd()}\n`;
}

function wide(cells: readonly string[]): string {
  return `${cells
    .map((cell, index) => cell.padEnd(index === 0 ? 20 : 40))
    .join('  ')
    .trimEnd()}\n`;
}
