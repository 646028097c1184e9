/** On or off, at once. @param label says what is switched */
export function Switch(props: { label: string; isOn: boolean; isBusy: boolean; onTurn: (isOn: boolean) => void }) {
  const { label, isOn, isBusy, onTurn } = props;
  return (
    <button
      type="button"
      role="switch"
      className="switch"
      aria-checked={isOn}
      aria-label={label}
      aria-disabled={isBusy}
      onClick={() => {
        if (!isBusy) onTurn(!isOn);
      }}
    >
      <span aria-hidden="true" />
    </button>
  );
}
