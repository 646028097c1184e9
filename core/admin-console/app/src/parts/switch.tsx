/** A switch that takes effect at once. @param label what it switches */
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
