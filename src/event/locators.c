/* locators.c -- the table of locators and what they share. */
#include "event/locator.h"

#include <string.h>

#include "brink/sim.h"

static const brink__locator *const table[] = {
#define BRINK_LOCATOR(name) &brink__locator_##name,
#include "event/locators.def"
#undef BRINK_LOCATOR
};

static const brink__locator *get(int i)
{
  return i >= 0 && (size_t)i < BRINK__COUNT(table) ? table[i] : NULL;
}

const brink__locator *brink__locator_find(const char *name)
{
  for (size_t i = 0; i < BRINK__COUNT(table); i++)
    if (strcmp(table[i]->name, name) == 0)
      return table[i];
  return NULL;
}

int brink__locator_degree(const brink__locator *locator, const brink_method *method)
{
  int degree = method->max_degree;

  for (size_t i = 0; i < BRINK__COUNT(table); i++) {
    const brink__takeover *takeover = table[i]->takeover;
    int own = takeover ? takeover->max_degree(method) : 0;
    if ((!locator || locator == table[i]) && own > degree)
      degree = own;
  }
  return degree;
}

const char *brink_locator_name(int i) { return get(i) ? get(i)->name : NULL; }

const char *brink_locator_about(int i) { return get(i) ? get(i)->about : NULL; }

int brink_locator_proves(int i) { return get(i) ? get(i)->proves_absence : 0; }

int brink_locator_takes_steps(int i) { return get(i) && get(i)->takeover; }

void brink__hits_add(brink__hits *hits, const brink__hit *hit)
{
  int i;

  if (hits->n == hits->cap) {
    hits->complete = 0;
    if (hits->v[hits->n - 1].theta <= hit->theta)
      return;
    hits->n--;
  }
  for (i = hits->n++; i > 0 && hits->v[i - 1].theta > hit->theta; i--)
    hits->v[i] = hits->v[i - 1];
  hits->v[i] = *hit;
}
