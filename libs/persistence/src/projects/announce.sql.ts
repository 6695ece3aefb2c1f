import { BUDGET_CHANGED, OF_CAPS } from '../ledger/cap-history.js';

export const DELIVERY_COLUMNS =
  'endpoint_id, project_id, type, project_state, project_status, version, event_seq, details';

/** Whether the endpoint `e` wants to be told this type of this project. */
export const LISTENS = (project: string, type: string): string =>
  `e.enabled AND (e.project_id IS NULL OR e.project_id = ${project}) AND (e.types = '{}' OR ${type} = ANY (e.types))`;

const announced = `
INSERT INTO webhook_delivery (${DELIVERY_COLUMNS})
SELECT e.id, p.id, a.type, p.state, p.status, p.version, p.event_seq, a.details
FROM unnest($2::text[], $3::text[]) AS a(type, details)
JOIN project p ON p.id = $1 JOIN webhook_endpoint e ON ${LISTENS('p.id', 'a.type')}`;

/** $1 project, $2 types, $3 details: of the project as it stands. */
export const ANNOUNCE = announced;

/** A cap that was changed since is met anew, also where it was set back to what it had been. */
const isSinceChange = `(d.type <> 'budget.exceeded' OR d.event_seq >= COALESCE((
    SELECT max(g.seq) FROM event_group g
    WHERE g.project_id = p.id AND ${OF_CAPS} AND strpos(events, '["${BUDGET_CHANGED}",{') > 0
  ), 0))`;

/** The same; what an endpoint was told before in the same words it is not told again. */
export const ANNOUNCE_ONCE = `${announced}
WHERE NOT EXISTS (
  SELECT 1 FROM webhook_delivery d
  WHERE d.endpoint_id = e.id AND d.project_id = p.id AND d.type = a.type AND d.details = a.details
    AND ${isSinceChange}
)`;
