#include "mpi_carrier.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <thread>

#include <mpi.h>

namespace induce {
namespace {

constexpr std::size_t largest_piece = std::size_t{1} << 30;  // MPI counts in int
constexpr int answer_tag = 7;

// What follows a header.
enum Kind : std::int64_t { the_same, of_each, the_end };
struct Header {
  std::int64_t kind, size;
};

void wait_for(MPI_Request& request) {
  using namespace std::chrono_literals;
  auto pause = 20us;
  for (int done = 0;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) return;
    std::this_thread::sleep_for(pause);
    pause = std::min<std::chrono::microseconds>(2 * pause, 500us);
  }
}

template <class Start>
void in_pieces(char* data, std::size_t size, const Start& start) {
  for (std::size_t at = 0; at < size; at += largest_piece) {
    MPI_Request request;
    start(data + at, static_cast<int>(std::min(largest_piece, size - at)), &request);
    wait_for(request);
  }
}

void broadcast(char* data, std::size_t size) {
  in_pieces(data, size, [](char* piece, int count, MPI_Request* request) {
    MPI_Ibcast(piece, count, MPI_BYTE, 0, MPI_COMM_WORLD, request);
  });
}

void send(const std::string& bytes, int rank) {
  std::int64_t size = static_cast<std::int64_t>(bytes.size());
  const auto piece = [rank](char* data, int count, MPI_Request* request) {
    MPI_Isend(data, count, MPI_BYTE, rank, answer_tag, MPI_COMM_WORLD, request);
  };
  in_pieces(reinterpret_cast<char*>(&size), sizeof size, piece);
  in_pieces(const_cast<char*>(bytes.data()), bytes.size(), piece);
}

std::string receive(int rank) {
  std::int64_t size = 0;
  const auto piece = [rank](char* data, int count, MPI_Request* request) {
    MPI_Irecv(data, count, MPI_BYTE, rank, answer_tag, MPI_COMM_WORLD, request);
  };
  in_pieces(reinterpret_cast<char*>(&size), sizeof size, piece);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  in_pieces(bytes.data(), bytes.size(), piece);
  return bytes;
}

void broadcast_header(Header& header) { broadcast(reinterpret_cast<char*>(&header), sizeof header); }

}  // namespace

MpiCarrier::MpiCarrier(Answerer own) : own_(std::move(own)) { MPI_Comm_size(MPI_COMM_WORLD, &ranks_); }

MpiCarrier::~MpiCarrier() {
  Header header{the_end, 0};
  broadcast_header(header);
}

std::vector<std::string> MpiCarrier::collect(std::string_view own_request) {
  std::vector<std::string> answers(static_cast<std::size_t>(ranks_));
  std::exception_ptr stopped;  // the answers of the others must be taken all the same
  try {
    answers[0] = own_(own_request);
  } catch (...) {
    stopped = std::current_exception();
  }
  for (int rank = 1; rank < ranks_; ++rank) answers[static_cast<std::size_t>(rank)] = receive(rank);
  if (stopped) std::rethrow_exception(stopped);
  return answers;
}

std::vector<std::string> MpiCarrier::ask_all(const std::string& request) {
  Header header{the_same, static_cast<std::int64_t>(request.size())};
  broadcast_header(header);
  broadcast(const_cast<char*>(request.data()), request.size());
  return collect(request);
}

std::vector<std::string> MpiCarrier::ask(const std::vector<std::string>& requests) {
  Header header{of_each, 0};
  broadcast_header(header);
  for (int rank = 1; rank < ranks_; ++rank) send(requests[static_cast<std::size_t>(rank)], rank);
  return collect(requests[0]);
}

void serve(const Answerer& answer) {
  for (;;) {
    Header header{};
    broadcast_header(header);
    if (header.kind == the_end) return;
    std::string request;
    if (header.kind == of_each) {
      request = receive(0);
    } else {
      request.resize(static_cast<std::size_t>(header.size));
      broadcast(request.data(), request.size());
    }
    send(answer(request), 0);
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

}  // namespace induce
