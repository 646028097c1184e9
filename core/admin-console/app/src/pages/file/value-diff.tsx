import { diffLines } from 'diff';

/** Compares two values line by line: removed, added and common lines. */
export function ValueDiff({ before, after }: { before: unknown; after: unknown }) {
  if (before === undefined && after === undefined) return null;
  const parts = diffLines(textOf(before), textOf(after));
  return (
    <pre className="diff">
      {parts.flatMap(({ value, added, removed }, part) =>
        value
          .replace(/\n$/, '')
          .split('\n')
          .map((line, index) => {
            const key = `${part} ${index}`;
            if (added) return <ins key={key}>+ {line}</ins>;
            if (removed) return <del key={key}>− {line}</del>;
            return <span key={key}> {line}</span>;
          }),
      )}
    </pre>
  );
}

function textOf(value: unknown): string {
  return value === undefined ? '' : `${JSON.stringify(value, null, 2)}\n`;
}
