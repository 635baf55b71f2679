import { ApiError, adviceOn } from '../api/api-error.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

interface Props {
  /** Nothing is shown of what is `null` or `undefined`. */
  readonly error: unknown;
  readonly onRetry?: () => void;
}

/** What went wrong, in the words of the server, and what to do next. */
export function ErrorNotice({ error, onRetry }: Props) {
  if (error === null || error === undefined) return null;
  const { message } = error instanceof Error ? error : { message: String(error) };
  const { violations, moreViolations, requestId } =
    error instanceof ApiError ? error : { violations: [], moreViolations: 0, requestId: undefined };
  return (
    <Notice kind="bad" isAlert>
      {violations.length === 0 ? (
        <strong>{message}</strong>
      ) : (
        <>
          <strong>This breaks {violations.length + moreViolations === 1 ? 'a rule' : 'rules'}:</strong>
          <ul>
            {violations.map(({ code, path, message }) => (
              <li key={`${code} ${path} ${message}`}>
                {path !== '' && <code>{path}</code>} {message}
              </li>
            ))}
            {moreViolations > 0 && <li>and {moreViolations} more</li>}
          </ul>
        </>
      )}
      <span>{adviceOn(error)}</span>
      {requestId !== undefined && <small className="quiet">Request {requestId}</small>}
      {onRetry !== undefined && (
        <span>
          <Button onPress={onRetry}>Try again</Button>
        </span>
      )}
    </Notice>
  );
}
