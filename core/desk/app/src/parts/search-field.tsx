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
  useEffect(() => setTyped(value), [value]);
  useEffect(() => {
    if (typed === value) return undefined;
    const timer = setTimeout(() => onSearch(typed), QUIET_MS);
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
