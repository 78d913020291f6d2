#include "mpi_carrier.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>

#include <mpi.h>

namespace induce::detail {
namespace {

constexpr std::size_t largest_piece = std::size_t{1}
                                      << 30;  // MPI counts in int; a shorter piece is the last one

struct Tag {
  static constexpr int of_all = 1, of_one = 2, end = 3, answer = 4;
};

// Between two looks for something that may come at once, or after seconds of work of others who need the core.
class Patience {
 public:
  explicit Patience(int yields) : yields_(yields) {}
  void wait() {
    using namespace std::chrono_literals;
    if (yields_-- > 0) return std::this_thread::yield();
    std::this_thread::sleep_for(pause_);
    pause_ = std::min<std::chrono::microseconds>(2 * pause_, 200us);
  }

 private:
  int yields_;
  std::chrono::microseconds pause_{20};
};
constexpr int few = 20, many = 2000;  // looks, of about a microsecond each

struct Received {
  std::string bytes;
  int tag = 0;
};

Received receive(int source) {
  Received received;
  for (std::size_t count = largest_piece; count == largest_piece;) {
    MPI_Message message;
    MPI_Status status;
    Patience until_it_comes(few);
    for (int there = 0;;) {
      MPI_Improbe(source, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &message, &status);
      if (there) break;
      until_it_comes.wait();
    }
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    count = static_cast<std::size_t>(size);
    received.bytes.resize(received.bytes.size() + count);
    MPI_Request request;
    MPI_Imrecv(received.bytes.data() + received.bytes.size() - count, size, MPI_BYTE, &message, &request);
    Patience until_done(many);
    for (int done = 0;;) {
      MPI_Test(&request, &done, MPI_STATUS_IGNORE);
      if (done) break;
      until_done.wait();
    }
    source = status.MPI_SOURCE;
    received.tag = status.MPI_TAG;
  }
  return received;
}

struct Letter {
  int rank;
  std::string_view bytes;
};

// Returns when all are on their way: a rank that works does not move messages.
void send(const std::vector<Letter>& letters, int tag) {
  std::vector<MPI_Request> requests;
  for (const auto& [rank, bytes] : letters)
    for (std::size_t at = 0, count = largest_piece; count == largest_piece; at += count) {
      count = std::min(largest_piece, bytes.size() - at);
      MPI_Isend(bytes.data() + at, static_cast<int>(count), MPI_BYTE, rank, tag, MPI_COMM_WORLD,
                &requests.emplace_back());
    }
  Patience until_done(many);
  for (int done = 0;;) {
    MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (done) return;
    until_done.wait();
  }
}

// What all get goes down a tree: rank r has it from r without its lowest bit, so 0 sends to 1, 2, 4 ..., 4 to 5 and 6.
void pass_on(std::string_view bytes, int tag) {
  int rank = 0, ranks = 1, end = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  while (end < ranks && (rank & end) == 0) end *= 2;
  std::vector<Letter> letters;  // the largest branch first
  for (int bit = end / 2; bit > 0; bit /= 2)
    if (rank + bit < ranks) letters.push_back({rank + bit, bytes});
  send(letters, tag);
}

}  // namespace

MpiCarrier::MpiCarrier(Answerer own) : own_(std::move(own)) { MPI_Comm_size(MPI_COMM_WORLD, &ranks_); }

MpiCarrier::~MpiCarrier() {
  if (waiting_) MPI_Abort(MPI_COMM_WORLD, 1);
  pass_on({}, Tag::end);
}

std::vector<std::string> MpiCarrier::collect(std::string_view own_request) {
  std::vector<std::string> answers(static_cast<std::size_t>(ranks_));
  std::exception_ptr stopped;  // the answers of the others must be taken all the same
  try {
    answers[0] = own_(own_request);
  } catch (...) {
    stopped = std::current_exception();
  }
  for (int rank = 1; rank < ranks_; ++rank) answers[static_cast<std::size_t>(rank)] = receive(rank).bytes;
  waiting_ = false;
  if (stopped) std::rethrow_exception(stopped);
  return answers;
}

std::vector<std::string> MpiCarrier::ask_all(const std::string& request) {
  waiting_ = true;
  pass_on(request, Tag::of_all);
  return collect(request);
}

std::vector<std::string> MpiCarrier::ask(const std::vector<std::string>& requests) {
  waiting_ = true;
  std::vector<Letter> letters;
  for (int rank = 1; rank < ranks_; ++rank)
    letters.push_back({rank, requests[static_cast<std::size_t>(rank)]});
  send(letters, Tag::of_one);
  return collect(requests[0]);
}

void serve(const Answerer& answer) {
  for (;;) {
    const Received request = receive(MPI_ANY_SOURCE);
    if (request.tag != Tag::of_one) pass_on(request.bytes, request.tag);
    if (request.tag == Tag::end) return;
    send({{0, answer(request.bytes)}}, Tag::answer);
  }
}

int ranks_here() {
  MPI_Comm here;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here);
  int ranks = 1;
  MPI_Comm_size(here, &ranks);
  MPI_Comm_free(&here);
  return ranks;
}

}  // namespace induce::detail
