import { useEffect, useState } from 'react';

/** A value, or while there is none the one before. */
export function useLastKnown<T>(value: T | undefined): T | undefined {
  const [known, setKnown] = useState(value);
  useEffect(() => {
    if (value !== undefined) setKnown(value);
  }, [value]);
  return value ?? known;
}
