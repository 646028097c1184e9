import { useEffect, useState } from 'react';

/** The pause after the last key before the host is asked, in milliseconds. */
const QUIET_MS = 200;

/** The text after the user stopped typing. */
export function useDebounced(typed: string): string {
  const [quiet, setQuiet] = useState(typed);
  useEffect(() => {
    const timer = setTimeout(() => setQuiet(typed), QUIET_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  return quiet;
}
