import { useEffect, useState } from 'react';

/** The value, or the previous one while it is undefined. */
export function useLastKnown<T>(value: T | undefined): T | undefined {
  const [known, setKnown] = useState(value);
  useEffect(() => {
    if (value !== undefined) setKnown(value);
  }, [value]);
  return value ?? known;
}
