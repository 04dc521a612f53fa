// What each process of a job runs to time messages to all others. Each pair has its turn, many at
// once and each process in one of them, as in a tournament. The first process writes FILE: what the
// others have told it, and all times.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { passes = 3, samples = 9, echoes = 20, small = 8 };

static int rank, ranks;

// Seconds of one message of that many bytes there and one back, both at once.
static double exchange(char* out, char* in, int bytes, int other) {
  const double begin = MPI_Wtime();
  MPI_Sendrecv(out, bytes, MPI_CHAR, other, 0, in, bytes, MPI_CHAR, other, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  return MPI_Wtime() - begin;
}

// Seconds of a small message and its answer.
static double round_trip(char* buffer, int other) {
  const double begin = MPI_Wtime();
  for (int i = 0; i < echoes; ++i) {
    if (rank < other) MPI_Send(buffer, small, MPI_CHAR, other, 1, MPI_COMM_WORLD);
    MPI_Recv(buffer, small, MPI_CHAR, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank > other) MPI_Send(buffer, small, MPI_CHAR, other, 1, MPI_COMM_WORLD);
  }
  return (MPI_Wtime() - begin) / echoes;
}

// Whom a process meets in a turn, and in each turn another one: the last place of the circle stays
// where it is. One of an odd number has nobody to meet, which is `ranks`.
static int partner(int turn) {
  const int places = ranks + ranks % 2, moving = places - 1;
  if (rank == moving) return turn * (places / 2) % moving;
  const int other = (turn - rank + moving) % moving;
  return other == rank ? moving : other;
}

// The times of this process's pairs with higher ranks: first those of exchanges, then those of
// round trips.
static void measure(double* times, int bytes) {
  char* const out = malloc(bytes);
  char* const in = malloc(bytes);
  memset(out, rank, bytes);
  memset(in, rank, bytes);
  // A slow moment must not be all that a pair has.
  for (int pass = 0; pass < passes; ++pass) {
    for (int turn = 0; turn < ranks - 1 + ranks % 2; ++turn) {
      MPI_Barrier(MPI_COMM_WORLD);
      const int other = partner(turn);
      if (other == ranks) continue;
      exchange(out, in, bytes, other);  // connects
      round_trip(in, other);
      for (int i = pass; i < samples; i += passes) {
        exchange(out, in, small, other);  // both are there
        double* const of = times + 2 * samples * other + i;
        of[0] = exchange(out, in, bytes, other);
        of[samples] = round_trip(in, other);
      }
    }
  }
  free(out);
  free(in);
}

static void write_samples(FILE* file, const char* key, const double* times) {
  fprintf(file, ",\"%s\":", key);
  for (int i = 0; i < samples; ++i) fprintf(file, "%c%.4g", i > 0 ? ',' : '[', times[i]);
  fprintf(file, "]");
}

static void write_times(FILE* file, const double* times) {
  fprintf(file, "],\"links\":[");
  for (int a = 0; a < ranks; ++a) {
    double* const of_a = a == 0 ? (double*)times : malloc(2 * samples * ranks * sizeof(double));
    if (a > 0)
      MPI_Recv(of_a, 2 * samples * ranks, MPI_DOUBLE, a, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int b = a + 1; b < ranks; ++b) {
      fprintf(file, "%s{\"a\":%d,\"b\":%d", a + b > 1 ? ",\n" : "", a, b);
      write_samples(file, "exchanges", of_a + 2 * samples * b);
      write_samples(file, "round_trips", of_a + 2 * samples * b + samples);
      fprintf(file, "}");
    }
    if (a > 0) free(of_a);
  }
  fprintf(file, "]}\n");
}

// fabric BYTES TEXT FILE
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double* const times = calloc(2 * samples * ranks, sizeof(double));
  measure(times, atoi(argv[1]));
  char* const text = argv[2];
  if (rank > 0) {
    MPI_Send(text, strlen(text), MPI_CHAR, 0, 3, MPI_COMM_WORLD);
    MPI_Send(times, 2 * samples * ranks, MPI_DOUBLE, 0, 2, MPI_COMM_WORLD);
  } else {
    FILE* const file = fopen(argv[3], "w");
    if (file == NULL) MPI_Abort(MPI_COMM_WORLD, 1);
    fprintf(file, "{\"ranks\":[%s", text);
    for (int other = 1; other < ranks; ++other) {
      MPI_Status status;
      int length = 0;
      MPI_Probe(other, 3, MPI_COMM_WORLD, &status);
      MPI_Get_count(&status, MPI_CHAR, &length);
      char* const theirs = calloc(length + 1, 1);
      MPI_Recv(theirs, length, MPI_CHAR, other, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      fprintf(file, ",\n%s", theirs);
      free(theirs);
    }
    write_times(file, times);
    if (fclose(file) != 0) MPI_Abort(MPI_COMM_WORLD, 1);
  }
  free(times);
  MPI_Finalize();
  return 0;
}
