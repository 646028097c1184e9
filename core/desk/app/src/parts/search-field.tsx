import { useEffect, useId, useState } from 'react';

/** Milliseconds without a key, after which the host is asked. */
const QUIET_MS = 250;

export function SearchField({
  label,
  value,
  onSearch,
}: {
  label: string;
  value: string;
  onSearch: (value: string) => void;
}) {
  const id = useId();
  const [typed, setTyped] = useState(value);
  const [asked, setAsked] = useState(value);
  const [seen, setSeen] = useState(value);
  // While it is drawn and not after: between the two, what was typed before would be searched for again. What this field has asked
  // for itself replaces nothing: more may be typed meanwhile.
  if (seen !== value) {
    setSeen(value);
    if (value !== asked) setTyped(value);
    setAsked(value);
  }
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = setTimeout(() => {
      setAsked(typed);
      onSearch(typed);
    }, QUIET_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onSearch]);
  return (
    <p className="search-field">
      <label className="unseen" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="search"
        placeholder={label}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
    </p>
  );
}
