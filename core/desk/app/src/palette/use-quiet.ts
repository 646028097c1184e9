import { useEffect, useState } from 'react';

/** Milliseconds without a key, after which the host is asked. */
const QUIET_MS = 200;

/** What was typed, once nothing more is. */
export function useQuiet(typed: string): string {
  const [quiet, setQuiet] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(typed), QUIET_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return quiet;
}
