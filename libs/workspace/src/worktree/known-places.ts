import { findRepository, isStillAt, type RepositoryPlace } from './find-repository.js';

/**
 * Where repositories keep themselves. Every use looks again, for whoever works beside the service may have put a link
 * there; but a place that was found before is looked at all at once, and one look serves all who ask while it lasts.
 */
export class KnownPlaces {
  private readonly places = new Map<string, RepositoryPlace>();
  private readonly underWay = new Map<string, Promise<RepositoryPlace>>();

  /** Where it was found last, if ever: to be used only where `of` answers with the same. */
  last(repo: string): RepositoryPlace | undefined {
    return this.places.get(repo);
  }

  of(repo: string): Promise<RepositoryPlace> {
    const look = this.underWay.get(repo) ?? this.look(repo).finally(() => this.underWay.delete(repo));
    this.underWay.set(repo, look);
    return look;
  }

  private async look(repo: string): Promise<RepositoryPlace> {
    const known = this.places.get(repo);
    if (known && (await isStillAt(repo, known))) return known;
    this.places.delete(repo);
    const place = await findRepository(repo);
    this.places.set(repo, place);
    return place;
  }
}
