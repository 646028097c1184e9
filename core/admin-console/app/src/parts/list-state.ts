import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

export interface ListState {
  readonly get: (name: string) => string;
  readonly first: number;
  readonly set: (changes: Readonly<Record<string, string | number>>) => void;
}

/** The position in a list and its filters, stored in the address, so that it can be shared and bookmarked. */
export function useListState(): ListState {
  const [parameters, setParameters] = useSearchParams();
  const get = (name: string) => parameters.get(name) ?? '';
  const set = useCallback(
    (changes: Readonly<Record<string, string | number>>) =>
      setParameters(
        (before) => {
          const after = new URLSearchParams(before);
          // Every other change leads back to the first page.
          const all: Readonly<Record<string, string | number>> = { first: 0, ...changes };
          for (const [name, value] of Object.entries(all)) {
            if (value === '' || value === 0) after.delete(name);
            else after.set(name, String(value));
          }
          return after;
        },
        { replace: true },
      ),
    [setParameters],
  );
  return { get, first: Math.max(0, Number(get('first')) || 0), set };
}
