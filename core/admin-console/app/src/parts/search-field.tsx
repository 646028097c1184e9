import { useEffect, useId, useState } from 'react';

/** The pause after the last key before the host is asked, in milliseconds. */
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
  const [requested, setRequested] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  // Set during rendering and not in an effect, which would first search for the old text again. A value that this field
  // requested itself does not replace the text, since the user may have typed more.
  if (lastValue !== value) {
    setLastValue(value);
    if (value !== requested) setTyped(value);
    setRequested(value);
  }
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = setTimeout(() => {
      setRequested(typed);
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
